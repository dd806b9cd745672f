/** The peer mediainfo.js, in a worker like the app's, with its default settings. */
import { expose } from 'comlink'
import mediaInfoFactory, { type MediaInfo } from 'mediainfo.js'
import wasmUrl from 'mediainfo.js/MediaInfoModule.wasm?url'

let opened: Promise<MediaInfo<'object'>> | null = null

const peer = {
  async probe(file: File): Promise<number> {
    opened ??= mediaInfoFactory({ format: 'object', locateFile: () => wasmUrl })
    const reader = await opened
    const read = async (length: number, offset: number): Promise<Uint8Array> =>
      new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
    const { media } = await reader.analyzeData(file.size, read)
    return media?.track.length ?? 0
  },
}
export type MediainfoPeer = typeof peer
expose(peer)
