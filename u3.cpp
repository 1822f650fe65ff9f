#include "transport/http/fetch_connection.cpp"
#include "transport/routes/telemetry_routes.cpp"
