/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete_scripts.c - scripts that shells run to complete a line: each asks coretap --complete for the words.
 */
#include <string.h>

#include "cli/applet.h"
#include "cli/complete.h"

/* Bash splits words at : and =, and replaces only the text after the last of them or after an open quote. Its own
 * words (COMP_WORDS) keep quotes and backslashes, so the line is split here. */
static const char bash[] =
	"_coretap()\n{\n"
	"\tlocal line=${COMP_LINE:0:COMP_POINT} cur= cut= quote= some= word c i\n"
	"\tlocal -a words=() offered\n"
	"\tfor ((i = 0; i < ${#line}; i++)); do\n"
	"\t\tc=${line:i:1}\n"
	"\t\tif [[ $quote ]]; then\n"
	"\t\t\tif [[ $c == \"$quote\" ]]; then quote=; else cur+=$c; fi\n"
	"\t\telif [[ $c == [\\'\\\"] ]]; then quote=$c some=1 cut=$cur\n"
	"\t\telif [[ $c == \\\\ ]]; then i=$((i + 1)) some=1; cur+=${line:i:1}\n"
	"\t\telif [[ $c == [[:space:]] ]]; then [[ ! $cur$some ]] || words+=(\"$cur\"); cur= some=\n"
	"\t\telse cur+=$c; fi\n"
	"\tdone\n"
	"\t[[ $quote ]] || cut=${cur%\"${cur##*[:=]}\"}\n"
	"\twords+=(\"$cur\")\n"
	"\tmapfile -t offered < <(coretap --complete \"${words[@]}\" 2>/dev/null)\n"
	"\tCOMPREPLY=()\n"
	"\tfor word in \"${offered[@]}\"; do\n"
	"\t\tcase $word in\n"
	"\t\t:files) compopt -o filenames 2>/dev/null; mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"${cur#\"$cut\"}\") ;;\n"
	"\t\t:command)\n"
	"\t\t\tfor ((i = 1; i < COMP_CWORD; i++)); do [[ ${COMP_WORDS[i]} != -- ]] || break; done\n"
	"\t\t\tif declare -F _command_offset >/dev/null; then _command_offset $((i + 1))\n"
	"\t\t\telif ((i + 1 == COMP_CWORD)); then mapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
	"\t\t\telse compopt -o default 2>/dev/null; fi ;;\n"
	"\t\t*) word=${word%%$'\\t'*} word=${word#\"$cut\"}\n"
	"\t\t\t[[ $quote ]] || printf -v word %q \"$word\"\n"
	"\t\t\tCOMPREPLY+=(\"$word\")\n"
	"\t\t\t[[ $word != *[:=] ]] || compopt -o nospace 2>/dev/null ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"}\n"
	"complete -F _coretap";

static const char zsh[] =
	"_coretap()\n{\n"
	"\tlocal line word\n"
	"\tlocal -a plain open\n"
	"\tfor line in \"${(@f)$(coretap --complete \"${(@Q)words[1,CURRENT-1]}\" \"${(Q)PREFIX}\" 2>/dev/null)}\"; do\n"
	"\t\tword=${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\n"
	"\t\tcase $line in\n"
	"\t\t:files) compset -P '--*=' || compset -P 'u:'; _files ;;\n"
	"\t\t:command) word=${words[(i)--]}; shift $word words; ((CURRENT -= word)); _normal ;;\n"
	"\t\t*[:=]$'\\t'*) open+=(\"$word\") ;;\n"
	"\t\t?*) plain+=(\"$word\") ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"\t((!${#open})) || _describe -t words word open -S ''\n"
	"\t((!${#plain})) || _describe -t words word plain\n"
	"}\n"
	"compdef _coretap";

static const char fish[] =
	"function __coretap\n"
	"\tset -l word (string replace -r '^[\"\\']' '' -- (commandline -ct))\n"
	"\tfor line in (coretap --complete (commandline -opc) \"$word\" 2>/dev/null)\n"
	"\t\tswitch $line\n"
	"\t\t\tcase :files\n"
	"\t\t\t\t__fish_complete_path (string replace -r '^(--[^=]*=|u:)' '' -- $word)\n"
	"\t\t\tcase :command\n"
	"\t\t\t\t__fish_complete_subcommand --fcs-skip=(contains -i -- -- (commandline -opc))\n"
	"\t\t\tcase '*'\n"
	"\t\t\t\techo $line\n"
	"\t\tend\n"
	"\tend\n"
	"end\n"
	"for name in";

static void names_print(struct buf *o, const char *const *more)
{
	buf_str(o, " coretap");
	for (const struct applet *const *a = applets; *a; a++)
		buf_printf(o, " %s", (*a)->name);
	for (; *more; more++)
		buf_printf(o, " %s", *more);
}

static const char bash_head[] = "", bash_end[] = "\n";
static const char zsh_head[] = "#compdef",
		  zsh_end[] = "\n[[ $funcstack[1] != _coretap ]] || _coretap \"$@\"\n";
static const char fish_head[] = "", fish_end[] = "\n\tcomplete -c $name -f -a '(__coretap)'\nend\n";

bool complete_script(struct buf *o, const char *shell, const char *const *more)
{
#define ROW(shell) { #shell, shell##_head, shell, shell##_end },
	static const struct {
		const char *name, *head, *script, *end;
	} shells[] = { COMPLETE_SHELLS(ROW, ROW, ROW) };
#undef ROW

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (strcmp(shells[i].name, shell))
			continue;
		if (*shells[i].head) {
			buf_str(o, shells[i].head);
			names_print(o, more);
			buf_char(o, '\n');
		}
		buf_str(o, "# completion for coretap and its tools; made by coretap itself\n");
		buf_str(o, shells[i].script);
		names_print(o, more);
		buf_str(o, shells[i].end);
		return true;
	}
	return false;
}
