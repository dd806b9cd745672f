import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { GALLERY_SECRETS, gallerySource } from '#tests/fixtures/gallery-source.ts'
import { exhibit } from '#tests/setup/gallery.ts'

const run = promisify(execFile)
/** What a container needs to be played; nothing of it comes from the source. */
const HARMLESS: ReadonlySet<string> = new Set([
  'major_brand',
  'minor_version',
  'compatible_brands',
  'language',
  'handler_name',
  'vendor_id',
  'encoder',
])
describe('place, device and time of the source', () => {
  it('B9 are in the source of this test, so that their absence means something', async () => {
    const path = await gallerySource()
    const bytes = await readFile(path, 'latin1')
    expect(
      GALLERY_SECRETS.filter(
        (secret) => !bytes.includes(secret) && !['private chapter', '2026-05-03'].includes(secret),
      ),
    ).toEqual([])
    expect(await tagsOf(path)).toMatchObject({
      creation_time: expect.stringContaining('2026-05-03'),
    })
  })

  it.each(Object.keys(recipes))('REC-22 B9 %s names neither them nor its encoder', async (slug) => {
    const { files, plan } = await exhibit(slug)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const name = basename(file)
      const bytes = await readFile(file, 'latin1')
      expect(
        [...GALLERY_SECRETS, 'x264', 'Lavc', 'Lavf'].filter((secret) => bytes.includes(secret)),
        name,
      ).toEqual([])
      expect(
        Object.keys(await tagsOf(file)).filter((tag) => !HARMLESS.has(tag)),
        name,
      ).toEqual([])
    }
    for (const output of plan.outputs) expect(output.fileName).not.toMatch(/Secret|private/)
  })
})

/** Tags of the container, its tracks, chapters and first picture, as ffprobe reads them. */
async function tagsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    '-show_chapters',
    '-show_frames',
    '-read_intervals',
    '%+#1',
    file,
  ])
  const {
    format,
    streams = [],
    chapters = [],
    frames = [],
  } = JSON.parse(stdout) as {
    format?: Tagged
    streams?: Tagged[]
    chapters?: Tagged[]
    frames?: Tagged[]
  }
  return Object.assign(
    {},
    ...[format, ...streams, ...chapters, ...frames].map((part) => part?.tags ?? {}),
  )
}

interface Tagged {
  readonly tags?: Readonly<Record<string, string>>
}
