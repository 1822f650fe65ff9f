#include "tools/engine/engine_process.cpp"
