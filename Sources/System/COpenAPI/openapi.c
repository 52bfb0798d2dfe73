#include "openapi.h"

// #embed is C23, which Clang 19 and later know in every mode (Swift 6.3 has 21).
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char text[] = {
#embed "openapi.yaml" suffix(, 0)
};

static const unsigned char admin_text[] = {
#embed "openapi-admin.yaml" suffix(, 0)
};

const char *openapi_yaml(void) { return (const char *)text; }

const char *openapi_admin_yaml(void) { return (const char *)admin_text; }
