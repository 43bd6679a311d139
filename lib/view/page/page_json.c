#include "view/page/page_json.h"

#include "view/page/page_text.h"

static void
put_lines(const char *const *lines, FILE *out)
{
	for (; *lines; lines++)
		fputs(*lines, out);
}

void
prf_page_put_begin(FILE *out)
{
	put_lines(prf_page_before, out);
}

void
prf_page_put_end(FILE *out)
{
	put_lines(prf_page_behind, out);
}

void
prf_page_put_binary(struct prf_json *json, const char *name, const char *path,
		    const char *kind)
{
	prf_json_list(json, NULL);
	prf_json_text(json, NULL, name);
	prf_json_text(json, NULL, path);
	prf_json_text(json, NULL, kind);
	prf_json_end(json);
}

void
prf_page_put_share(struct prf_json *json, double share)
{
	double parts = share * 100000;

	if (share < 0)
		prf_json_signed(json, NULL, (int64_t)(parts - 0.5));
	else
		prf_json_signed(json, NULL, (int64_t)(parts + 0.5));
}
