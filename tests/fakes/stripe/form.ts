/** Bodies and queries of Stripe's API: `a[b][0]=c` is `{ a: { b: ['c'] } }`. */

interface FormFields {
  [name: string]: string | FormFields
}

/** What a form says, as nested objects and lists of texts. */
export function decodeForm(text: string): unknown {
  const fields: FormFields = {}
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.replaceAll(']', '').split('[')
    const last = names.pop() ?? ''
    let place = fields
    for (const name of names) {
      const below = place[name]
      const next = typeof below === 'object' ? below : {}
      place[name] = next
      place = next
    }
    place[last] = value
  }
  return listed(fields)
}

function listed(field: string | FormFields): unknown {
  if (typeof field === 'string') return field
  const entries = Object.entries(field).map(([name, value]) => [name, listed(value)] as const)
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index))
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}
