/* bcryptprimitives.dll, which Wine 8 lacks: the one function that Rust programs such as ms_toollib import. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return RtlGenRandom(data, (ULONG)length);
}
