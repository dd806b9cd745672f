import * as v from 'valibot'
import { mayBeVideo } from '#src/components/uploads/video-types.ts'

const file = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(512)),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
  link: v.pipe(v.string(), v.startsWith('https://'), v.maxLength(4096)),
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
const message = v.object({
  dropboxChooser: v.union([v.picklist(['ready', 'unloaded', 'canceled']), file]),
})

/** A file as Dropbox's window names it; the server asks its host again. */
type DropboxFile = v.InferOutput<typeof file>

/** What the chooser's document says, or null for what other code of this origin may post. */
export function dropboxMessage(
  data: unknown,
): 'ready' | 'unloaded' | 'canceled' | DropboxFile | null {
  const said = v.safeParse(message, data)
  return said.success ? said.output.dropboxChooser : null
}

/** Why a chosen file is not imported, in a sentence; null where nothing speaks against it. */
export function dropboxFault({ name, bytes }: DropboxFile, mostBytes: number): string | null {
  if (!mayBeVideo({ name, type: '' })) return 'Invalid file type for Dropbox upload.'
  if (bytes > mostBytes)
    return `This file is too large. You can import files of up to ${mostBytes / 1024 ** 3} GB.`
  return null
}
