#ifndef PHONEPROOF_CJEMALLOC_SHIM_H
#define PHONEPROOF_CJEMALLOC_SHIM_H

#include <jemalloc/jemalloc.h>

#endif
