import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { StartError } from './start-error.ts'

/** What the operator publishes of their own on the front page and in the footer. */
export interface Published {
  /** Null: none are set, and the page shows its examples as examples. */
  readonly testimonials: readonly PublishedTestimonial[] | null
  /** Null: none are set, and the page shows its examples as examples. */
  readonly figures: PublishedFigures | null
  readonly socialLinks: readonly { readonly name: string; readonly url: string }[]
  /** The files that the testimonials name, by name, with where they are. Nothing else is shown. */
  readonly files: ReadonlyMap<string, string>
}

interface PublishedTestimonial {
  readonly name: string
  readonly role: string
  readonly url: string
  readonly quote: string
  readonly video: string
  readonly picture: string
}

interface PublishedFigures {
  readonly editsDelivered: number
  readonly averageDeliveryHours: number
  readonly yearsInIndustry: number
}

const FILE = 'front-page.json'
const MAX_TESTIMONIALS = 12
const MAX_LINKS = 8

const words = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most))
const address = v.pipe(v.string(), v.maxLength(300), v.url(), v.startsWith('https://'))
const count = v.pipe(v.number(), v.integer(), v.minValue(1))
const fileName = (endings: string) =>
  v.pipe(
    v.string(),
    v.maxLength(100),
    v.regex(new RegExp(`^\\w[\\w-]*\\.(?:${endings})$`), 'must be the name of a file beside it'),
  )

const schema = v.strictObject({
  testimonials: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          name: words(80),
          role: words(80),
          url: address,
          quote: words(600),
          video: fileName('mp4|webm'),
          picture: fileName('jpg|png|webp'),
        }),
      ),
      v.minLength(1),
      v.maxLength(MAX_TESTIMONIALS),
    ),
  ),
  figures: v.optional(
    v.strictObject({ editsDelivered: count, averageDeliveryHours: count, yearsInIndustry: count }),
  ),
  socialLinks: v.optional(
    v.pipe(v.array(v.strictObject({ name: words(40), url: address })), v.maxLength(MAX_LINKS)),
  ),
})

/**
 * Reads `front-page.json` in the operator's folder; nothing is published where no folder is set.
 * Throws `StartError` with what to mend: a page with half of it would be worse than none.
 */
export async function readPublished(folder: string | null): Promise<Published> {
  if (folder === null)
    return { testimonials: null, figures: null, socialLinks: [], files: new Map() }
  const path = join(folder, FILE)
  const parsed = v.safeParse(schema, await readJson(path))
  if (!parsed.success) throw wrong(path, describe(parsed.issues[0]))
  const { testimonials = null, figures = null, socialLinks = [] } = parsed.output
  const names = (testimonials ?? []).flatMap(({ video, picture }) => [video, picture])
  const files = new Map(names.map((name) => [name, join(folder, name)]))
  for (const [name, file] of files)
    if ((await stat(file).catch(() => null))?.isFile() !== true)
      throw wrong(path, `names ${name}, which is not in that folder`)
  return { testimonials, figures, socialLinks, files }
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw wrong(path, `cannot be read (${error instanceof Error ? error.message : String(error)})`)
  })
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw wrong(path, 'is no JSON')
  }
}

function describe(issue: v.BaseIssue<unknown>): string {
  return `has a mistake at ${v.getDotPath(issue) ?? 'its top'}: ${issue.message}`
}

function wrong(path: string, what: string): StartError {
  return new StartError(
    `ONECUT_FRONT_PAGE_DIR: ${path} ${what}. docs/front-page.md says what it may hold.`,
  )
}
