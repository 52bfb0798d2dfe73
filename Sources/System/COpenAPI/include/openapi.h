/// The text of Sources/System/COpenAPI/openapi.yaml, ending in a zero byte.
///
/// It is embedded by C because Swift has no means for that: a `.embedInCode` resource becomes an array literal that takes
/// the compiler 5 to 13 seconds.
const char *openapi_yaml(void);

/// The text of Sources/System/COpenAPI/openapi-admin.yaml.
const char *openapi_admin_yaml(void);
