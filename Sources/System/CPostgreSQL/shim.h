#ifndef PHONEPROOF_CPOSTGRESQL_SHIM_H
#define PHONEPROOF_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
