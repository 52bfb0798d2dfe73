#include "Counter.h"
