/**
 * A page with the app's media bridge and its store of made edits, driven by
 * tests/bench/make-now.ts.
 */
import { createMediaBridge } from '#src/bridge/media-bridge.ts'
import { createClock } from '#src/lib/time.ts'
import { browserFiles } from '#src/local/db/account-files.ts'
import { createMadeBytes } from '#src/local/made/made-bytes.ts'
import type { MakeRung } from '#src/local/made/make.ts'
import { sourceProbeOf } from '#src/local/previews/preview.ts'
import type { SourceProbe } from '#recipes/types.ts'

const ID = 'edit'
const media = createMediaBridge(createClock())
const openFiles = browserFiles()
if (openFiles === null) throw new Error('This browser keeps no files')
const bytes = createMadeBytes(openFiles, 'bench', null)

function chosen(): File {
  const file = document.querySelector<HTMLInputElement>('#file')?.files?.[0]
  if (file === undefined) throw new Error('no file chosen')
  return file
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error('not readable')))
    reader.readAsDataURL(blob)
  })
}

/** What the page says of a finished edit; its files stay where the app keeps them. */
interface Finished {
  readonly tookMs: number
  readonly files: readonly { readonly fileName: string; readonly sizeBytes: number }[]
}

const bench = {
  source: async (): Promise<SourceProbe> => {
    const probed = await media.probe(chosen(), { id: 'probe' })
    const source = sourceProbeOf(probed.ok ? probed.value : null, chosen().name)
    if (source === null) throw new Error('nothing to edit')
    return source
  },
  canMake: (slug: string, payload: unknown, source: SourceProbe): Promise<MakeRung> =>
    media.canMake(chosen(), { slug, payload, source, moments: [] }, { id: 'can' }),
  /** Makes and keeps the edit as the app does; why it could not, instead. */
  make: async (slug: string, payload: unknown, source: SourceProbe): Promise<Finished | string> => {
    const begunAt = performance.now()
    const made = await media.make(
      chosen(),
      { slug, payload, source, moments: [] },
      { id: ID, bytesKey: chosen().name, from: null, isLower: false },
      () => undefined,
      {
        read: (name) => bytes.openPiece(ID, name),
        keep: (name, piece) => bytes.writePiece(ID, name, piece),
      },
    )
    if (!made.ok) return made.error.code
    await bytes.write(ID, made.value)
    await bytes.removePieces(ID)
    return {
      tookMs: performance.now() - begunAt,
      files: made.value.map(({ fileName, blob }) => ({ fileName, sizeBytes: blob.size })),
    }
  },
  /** A part of a kept file of the edit in base64, because nothing else leaves a page. */
  read: async (index: number, sizeBytes: number, from: number, to: number): Promise<string> => {
    const file = await bytes.open(ID, index, sizeBytes)
    if (file === null) throw new Error('the edit is not kept')
    return base64Of(file.slice(from, to))
  },
  /** Milliseconds until the moments are found; why they could not be, instead. */
  findMoments: async (source: SourceProbe): Promise<number | string> => {
    const begunAt = performance.now()
    const found = await media.findMoments(chosen(), source, { id: 'find' }, () => undefined)
    return found.ok ? performance.now() - begunAt : found.error.code
  },
}

declare global {
  interface Window {
    makeBench: typeof bench
  }
}
window.makeBench = bench
