ctypedef long long* ints_t
ctypedef double* floats_t
ctypedef unsigned char* octets_t

cdef class Memory:
    cdef void* chunks[48]
    cdef Py_ssize_t sizes[48]
    cdef Py_ssize_t chunk, used, allocated
    cdef void* take(self, Py_ssize_t count) except NULL
    cdef Py_ssize_t mark(self) noexcept
    cdef void release(self, Py_ssize_t mark) noexcept
    cdef ints_t ints(self, Py_ssize_t count, long long value) except NULL
    cdef ints_t copy_ints(self, object values) except NULL
    cdef floats_t floats(self, Py_ssize_t count, double value) except NULL
    cdef floats_t large_floats(self, Py_ssize_t count) except NULL
    cdef void extend(self, floats_t values, Py_ssize_t length) noexcept
    cdef octets_t octets(self, Py_ssize_t count) except NULL
