/* python.exe for the CPython of a panda3d wheel, which has only python311.dll.

   Wine 8's ucrtbase.dll has stubs in place of the complex functions (crealf, cexp, cpow ...) that numpy and
   llvmlite import; a call ends the process. Under Wine, the stubs are replaced in memory by the functions of
   mingw. On Windows, nothing is replaced. */
#include <windows.h>
#include <complex.h>
#include <math.h>
#include <string.h>
#include <wchar.h>

typedef struct { float r, i; } F;  /* _Fcomplex: 8 bytes, in a register */
typedef struct { double r, i; } D; /* _Dcomplex and _Lcomplex: 16 bytes, by reference */

static F to_f(double complex z) { F f = {(float)creal(z), (float)cimag(z)}; return f; }
static D to_d(double complex z) { D d = {creal(z), cimag(z)}; return d; }
static double complex of_f(F f) { double complex z; __real__ z = f.r; __imag__ z = f.i; return z; }
static double complex of_d(D d) { double complex z; __real__ z = d.r; __imag__ z = d.i; return z; }

static float my_crealf(F z) { return z.r; }
static float my_cimagf(F z) { return z.i; }
static double my_creal(D z) { return z.r; }
static double my_cimag(D z) { return z.i; }
static float my_cabsf(F z) { return (float)hypot(z.r, z.i); }
static double my_cabs(D z) { return hypot(z.r, z.i); }
static float my_cargf(F z) { return (float)atan2(z.i, z.r); }
static double my_carg(D z) { return atan2(z.i, z.r); }
static F my_FCbuild(float r, float i) { F f = {r, i}; return f; }
static D my_Cbuild(double r, double i) { D d = {r, i}; return d; }
static F my_cpowf(F a, F b) { return to_f(cpow(of_f(a), of_f(b))); }
static D my_cpow(D a, D b) { return to_d(cpow(of_d(a), of_d(b))); }
#define BOTH(name) \
    static F my_##name##f(F z) { return to_f(name(of_f(z))); } \
    static D my_##name(D z) { return to_d(name(of_d(z))); }
#define ALL(X) X(ccos) X(ccosh) X(cexp) X(csin) X(csinh) X(ctan) X(ctanh) X(clog) X(csqrt) X(cacos) X(cacosh) \
    X(casin) X(casinh) X(catan) X(catanh)
ALL(BOTH)

static const struct { const char *name; void *function; } COMPLEX[] = {
#define THREE(name) {#name "f", my_##name##f}, {#name, my_##name}, {#name "l", my_##name},
    ALL(THREE) THREE(creal) THREE(cimag) THREE(cabs) THREE(carg) THREE(cpow)
    {"_FCbuild", my_FCbuild}, {"_Cbuild", my_Cbuild}, {"_LCbuild", my_Cbuild},
};

/* A stub: sub $0x28,%rsp; lea file(%rip),%rcx; lea name(%rip),%rdx; call __wine_spec_unimplemented_stub */
static int is_stub(const unsigned char *code) {
    return !memcmp(code, "\x48\x83\xec\x28\x48\x8d\x0d", 7) && !memcmp(code + 11, "\x48\x8d\x15", 3)
        && code[18] == 0xe8;
}

static void replace_stubs(void) {
    HMODULE crt = LoadLibraryW(L"ucrtbase.dll");
    for (size_t k = 0; crt && k < sizeof COMPLEX / sizeof *COMPLEX; k++) {
        unsigned char *code = (unsigned char *)GetProcAddress(crt, COMPLEX[k].name);
        DWORD before;
        if (!code || !is_stub(code) || !VirtualProtect(code, 14, PAGE_EXECUTE_READWRITE, &before)) continue;
        memcpy(code, "\xff\x25\0\0\0\0", 6); /* jmp *(%rip) */
        memcpy(code + 6, &COMPLEX[k].function, 8);
        VirtualProtect(code, 14, before, &before);
    }
}

int wmain(int count, wchar_t **words) {
    HMODULE python;
    if (GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version")) replace_stubs();
    python = LoadLibraryW(L"python311.dll");
    if (!python) return 99;
    return ((int (*)(int, wchar_t **))GetProcAddress(python, "Py_Main"))(count, words);
}
