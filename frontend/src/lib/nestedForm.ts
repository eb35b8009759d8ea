/**
 * Forms have flat values with dotted names, like the field names in errors of the server:
 * `{"hospital.name": "x"}` is sent as `{hospital: {name: "x"}}`.
 */
export function nestFields(values: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const keys = name.split('.');
    const last = keys.pop() as string;
    let place = result;
    for (const key of keys) {
      place[key] ??= {};
      place = place[key] as Record<string, unknown>;
    }
    place[last] = value;
  }
  return result;
}
