import * as v from 'valibot'

/** What the build writes to `/licences.json` (scripts/vite-licences.ts). */
const licencesSchema = v.object({
  packages: v.array(
    v.object({
      name: v.string(),
      /** Null of packages that only the server runs. */
      version: v.nullable(v.string()),
      licence: v.string(),
      reaches: v.picklist(['browser', 'server']),
      text: v.string(),
    }),
  ),
  coreParts: v.array(
    v.object({ name: v.string(), version: v.string(), licence: v.string(), source: v.string() }),
  ),
})

export type Licences = v.InferOutput<typeof licencesSchema>

/** Throws when the file cannot be loaded, or is something else, such as the page of a portal. */
export async function readLicences(signal: AbortSignal): Promise<Licences> {
  const answer = await fetch('/licences.json', { signal })
  if (!answer.ok) throw new Error(`licences.json: status ${answer.status}`)
  return v.parse(licencesSchema, await answer.json())
}
