"""Memory of the kernels in the extension: an arena of C arrays. `memory.py` describes the methods."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef Py_ssize_t FIRST = 1 << 12  # words of 8 bytes in the first chunk; each further chunk is twice as large


cdef class Memory:
    is_compiled = True

    def __dealloc__(self):
        cdef Py_ssize_t i
        for i in range(self.allocated):
            free(self.chunks[i])

    cdef void* take(self, Py_ssize_t count) except NULL:
        cdef void* place
        while self.chunk < self.allocated:
            if self.used + count <= self.sizes[self.chunk]:
                place = <char*>self.chunks[self.chunk] + 8 * self.used
                self.used += count
                return place
            self.chunk += 1
            self.used = 0
        if self.chunk == 48:
            raise MemoryError
        place = malloc(8 * max(FIRST << self.chunk, count))
        if place == NULL:
            raise MemoryError
        self.chunks[self.chunk] = place
        self.sizes[self.chunk] = max(FIRST << self.chunk, count)
        self.allocated += 1
        self.used = count
        return place

    cdef Py_ssize_t mark(self) noexcept:
        return self.chunk << 40 | self.used

    cdef void release(self, Py_ssize_t mark) noexcept:
        self.chunk = mark >> 40
        self.used = mark & ((<Py_ssize_t>1 << 40) - 1)

    cdef ints_t ints(self, Py_ssize_t count, long long value) except NULL:
        cdef ints_t values = <ints_t>self.take(count)
        cdef Py_ssize_t k
        for k in range(count):
            values[k] = value
        return values

    cdef ints_t copy_ints(self, object values) except NULL:
        cdef Py_buffer view
        cdef ints_t copied
        PyObject_GetBuffer(values, &view, PyBUF_SIMPLE)
        try:
            if view.itemsize != 8:
                raise TypeError("kernels need arrays of 64-bit integers")
            copied = <ints_t>self.take(view.len // 8 + 1)
            memcpy(copied, view.buf, view.len)
        finally:
            PyBuffer_Release(&view)
        return copied

    cdef floats_t floats(self, Py_ssize_t count, double value) except NULL:
        cdef floats_t values = <floats_t>self.take(count)
        cdef Py_ssize_t k
        for k in range(count):
            values[k] = value
        return values

    cdef floats_t large_floats(self, Py_ssize_t count) except NULL:
        return <floats_t>self.take(count)

    cdef void extend(self, floats_t values, Py_ssize_t length) noexcept:
        pass

    cdef octets_t octets(self, Py_ssize_t count) except NULL:
        return <octets_t>self.take((count + 7) // 8)
