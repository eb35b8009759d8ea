/**
 * Forms keep flat values under dotted names, as the server names its errors:
 * `{"hospital.name": "x"}` becomes `{hospital: {name: "x"}}` on the wire.
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
