# SPDX-License-Identifier: GPL-2.0-only
# schema.jq - what is wrong with a line of JSON by docs/json-schema.json: a string for each fault.
#
#	jq -rn --slurpfile schema docs/json-schema.json -f tests/lib/schema.jq LINES
#
# Guests have jq and no Python. It knows the keywords that the schema uses, and stops at any other;
# tests/cli/schema.bats compares it with python3-jsonschema.

def kinds: if type == "number" and . == floor then ["number", "integer"] else [type] end;

def annotations: ["$schema", "$defs", "title", "description"];

def faults($root; $schema; $at):
	. as $value |
	def all_of($key): "\($at): \($value | tojson | .[:80]): \($key) \($schema[$key] | tojson)";
	def members: select(type == "object") | keys[];
	($schema | to_entries[] | select(.key | IN(annotations[]) | not)) |
	.value as $want |
	if .key == "$ref" then
		$value | faults($root; $root["$defs"][$want | ltrimstr("#/$defs/")]; $at)
	elif .key == "type" then
		select($value | kinds - ([$want] | flatten) == kinds) | all_of("type")
	elif .key == "const" then
		select($value != $want) | all_of("const")
	elif .key == "enum" then
		select($want | index([$value]) | not) | all_of("enum")
	elif .key == "pattern" then
		select($value | type == "string" and (test($want) | not)) | all_of("pattern")
	elif .key == "minimum" then
		select(($value | type) == "number" and $value < $want) | all_of("minimum")
	elif .key == "maximum" then
		select(($value | type) == "number" and $value > $want) | all_of("maximum")
	elif .key == "minItems" then
		select(($value | type) == "array" and ($value | length) < $want) | all_of("minItems")
	elif .key == "maxItems" then
		select(($value | type) == "array" and ($value | length) > $want) | all_of("maxItems")
	elif .key == "items" then
		$value | select(type == "array") | to_entries[] | .key as $i |
		.value | faults($root; $want; "\($at)[\($i)]")
	elif .key == "required" then
		select(($value | type) == "object") | $want[] | select(in($value) | not) | "\($at): no \(.)"
	elif .key == "anyOf" then
		select(all($want[]; . as $one | any($value | faults($root; $one; $at); true))) | all_of("anyOf")
	elif .key == "properties" then
		$value | members | select(in($want)) | . as $key |
		$value[$key] | faults($root; $want[$key]; "\($at).\($key)")
	elif .key == "patternProperties" then
		$value | members | . as $key | $want | to_entries[] | .key as $pattern |
		select($key | test($pattern)) | .value as $one |
		$value[$key] | faults($root; $one; "\($at).\($key)")
	elif .key == "additionalProperties" then
		$value | members | select(in($schema.properties // {}) | not) | . as $key |
		select(any($schema.patternProperties // {} | keys[]; . as $p | $key | test($p)) | not) |
		if $want == false then "\($at): unknown key \($key)"
		else $value[$key] | faults($root; $want; "\($at).\($key)") end
	else
		error("schema.jq does not know the keyword \(.key)")
	end;

# The schema of a line is the one of its type: an error says more than that none of all fits.
def line_faults($root):
	((objects | .type | strings | "#/$defs/" + .) // "") as $name |
	if any($root.anyOf[]; ."$ref" == $name) then faults($root; {"$ref": $name}; .type)
	elif type == "object" and has("args") then faults($root; {"$ref": "#/$defs/argdump"}; .type)
	else "no such type: \(tojson | .[:80])" end;

inputs | line_faults($schema[0])
