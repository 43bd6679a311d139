/* attr.h - what a declaration asks of its caller. */
#ifndef PRF_CORE_ATTR_H
#define PRF_CORE_ATTR_H

#ifdef __cplusplus
#define PRF_BEGIN_DECLS extern "C" {
#define PRF_END_DECLS }
#else
#define PRF_BEGIN_DECLS
#define PRF_END_DECLS
#endif

#define PRF_MUST_CHECK __attribute__((warn_unused_result))
#define PRF_PRINTF(format_at, args_at)                                         \
	__attribute__((format(printf, format_at, args_at)))

#endif
