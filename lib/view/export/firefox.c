#include "view/export/firefox.h"

#include <config.h>
#include <stdio.h>

#include "core/scope.h"
#include "view/export/firefox_numbers.h"
#include "view/export/firefox_tables.h"
#include "view/export/firefox_threads.h"
#include "view/export/json.h"
#include "view/export/stack_table.h"

enum { FORMAT_VERSION = 61, GECKO_VERSION = 31 };

static void
put_schema(struct prf_json *json, const char *name, const char *label,
	   const char *description)
{
	static const char *const display[] = {"marker-chart", "marker-table",
					      "timeline-overview"};

	prf_json_object(json, NULL);
	prf_json_text(json, "name", name);
	prf_json_text(json, "tooltipLabel", label);
	prf_json_text(json, "tableLabel", "{marker.data.text}");
	prf_json_list(json, "display");
	for (size_t i = 0; i < sizeof display / sizeof *display; i++)
		prf_json_text(json, NULL, display[i]);
	prf_json_end(json);
	prf_json_list(json, "fields");
	prf_json_object(json, NULL);
	prf_json_text(json, "key", "text");
	prf_json_text(json, "label", "What");
	prf_json_text(json, "format", "string");
	prf_json_end(json);
	prf_json_end(json);
	prf_json_text(json, "description", description);
	prf_json_end(json);
}

static void
put_units(struct prf_json *json)
{
	prf_json_object(json, "sampleUnits");
	prf_json_text(json, "time", "ms");
	prf_json_text(json, "eventDelay", "ms");
	prf_json_text(json, "threadCPUDelta", "ns");
	prf_json_end(json);
}

/* Times are those since the start of the run. */
static uint64_t
start_ns(const struct prf_firefox *firefox)
{
	uint64_t begin_ns = firefox->way->begin_ns;
	uint64_t skipped_ns = firefox->stacks->skipped_ns;

	return begin_ns > skipped_ns ? begin_ns - skipped_ns : 0;
}

static void
put_meta(struct prf_firefox *firefox)
{
	const struct prf_binary *program = firefox->stacks->profile->program;
	const struct prf_export_way *way = firefox->way;
	struct prf_json *json = &firefox->json;

	prf_json_object(json, "meta");
	prf_json_number(json, "version", GECKO_VERSION);
	prf_json_number(json, "preprocessedProfileVersion", FORMAT_VERSION);
	prf_json_decimal(json, "interval", firefox->period_ns, 6);
	prf_json_decimal(json, "startTime", start_ns(firefox) / 1000, 3);
	prf_json_number(json, "processType", 0);
	prf_json_text(json, "product",
		      way->command ? way->command
		      : program    ? program->name
				   : "profrun");
	prf_json_text(json, "importedFrom", PACKAGE_STRING);
	prf_json_number(json, "stackwalk", 1);
	prf_json_bool(json, "debug", false);
	prf_json_bool(json, "symbolicated", true);
	prf_json_bool(json, "usesOnlyOneStackType", true);
	prf_json_bool(json, "sourceCodeIsNotOnSearchfox", true);
	prf_json_bool(json, "keepProfileThreadOrder", true);
	put_units(json);
	prf_firefox_put_categories(firefox);
	prf_json_list(json, "markerSchema");
	put_schema(json, "Exec", "A program begins",
		   "The process has become another program");
	put_schema(json, "ThreadEnd", "A thread ends",
		   "The thread has ended, or is no longer watched");
	prf_json_end(json);
	prf_json_end(json);
}

/* Of a build-id: as a GUID of Microsoft's, whose first three numbers are in the
 * order of bytes of their machines, with an age of 0. */
static void
put_breakpad_id(struct prf_json *json, const struct prf_binary *binary)
{
	enum { GUID_BYTES = 16 };
	static const unsigned char order[GUID_BYTES] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	char digits[2 * GUID_BYTES + 2] = "";

	for (size_t i = 0; i < GUID_BYTES; i++)
		sprintf(digits + 2 * i, "%02X",
			order[i] < binary->build_id_bytes
				? binary->build_id[order[i]]
				: 0);
	digits[2 * GUID_BYTES] = '0';
	prf_json_text(json, "breakpadId", binary->build_id_bytes ? digits : "");
}

static void
put_code_id(struct prf_json *json, const struct prf_binary *binary)
{
	char digits[2 * PRF_BUILD_ID_MAX + 1];

	for (size_t i = 0; i < binary->build_id_bytes; i++)
		sprintf(digits + 2 * i, "%02x", binary->build_id[i]);
	prf_json_text(json, "codeId", binary->build_id_bytes ? digits : NULL);
}

static void
put_libs(struct prf_firefox *firefox)
{
	const struct prf_profile *profile = firefox->stacks->profile;
	struct prf_json *json = &firefox->json;

	prf_json_list(json, "libs");
	for (size_t i = 0; i < profile->n_binaries; i++) {
		const struct prf_binary *binary = profile->binaries[i];

		if (!prf_firefox_is_lib(binary))
			continue;
		prf_json_object(json, NULL);
		prf_json_text(json, "arch", "");
		prf_json_text(json, "name", binary->name);
		prf_json_text(json, "path", binary->path);
		prf_json_text(json, "debugName", binary->name);
		prf_json_text(json, "debugPath", binary->path);
		put_breakpad_id(json, binary);
		put_code_id(json, binary);
		prf_json_end(json);
	}
	prf_json_end(json);
}

static int
put_all(struct prf_firefox *firefox)
{
	struct prf_json *json = &firefox->json;
	int rc = prf_firefox_number(firefox);

	if (rc)
		return rc;
	prf_json_object(json, NULL);
	put_meta(firefox);
	put_libs(firefox);
	rc = prf_firefox_put_threads(firefox);
	if (!rc)
		rc = prf_firefox_put_tables(firefox);
	prf_json_end(json);
	return rc;
}

int
prf_firefox_write_stacks(const struct prf_stack_table *stacks,
			 const struct prf_export_way *way, FILE *out,
			 struct prf_error *err)
{
	enum { USUAL_PERIOD_NS = 10000000 };
	uint64_t period_ns = prf_stack_table_period_ns(stacks);
	PRF_AUTO(prf_firefox_clear)
	struct prf_firefox firefox = {
		.stacks = stacks,
		.way = way,
		.json.out = out,
		.period_ns = period_ns ? period_ns : USUAL_PERIOD_NS,
	};
	int rc = put_all(&firefox);

	return rc ? prf_error_set(err, rc, "out of memory") : 0;
}

int
prf_firefox_write(const struct prf_profile *profile,
		  const struct prf_export_way *way, FILE *out,
		  struct prf_error *err)
{
	PRF_AUTO(prf_stack_table_clear) struct prf_stack_table stacks = {0};
	int rc = prf_stack_table_of(profile, way, &stacks);

	return rc ? prf_error_set(err, rc, "out of memory")
		  : prf_firefox_write_stacks(&stacks, way, out, err);
}
