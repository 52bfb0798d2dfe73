#ifndef PHONEPROOF_CYAML_SHIM_H
#define PHONEPROOF_CYAML_SHIM_H

#include <yaml.h>

#endif
