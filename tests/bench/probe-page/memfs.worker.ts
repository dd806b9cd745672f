/**
 * The usual way with ffmpeg.wasm: the whole file is copied into its memory. One engine, kept from
 * file to file.
 */
import { expose } from 'comlink'
import coreUrl from '@ffmpeg/core?url'
import wasmUrl from '@ffmpeg/core/wasm?url'
import { loadCore, type FfmpegCore } from '#workers/media/core.ts'

/** The engine's own file system in memory. */
interface MemoryFs {
  writeFile(path: string, bytes: Uint8Array): void
}
let opened: Promise<FfmpegCore> | null = null

const peer = {
  async probe(file: File): Promise<number> {
    opened ??= WebAssembly.compileStreaming(fetch(wasmUrl)).then((wasm) =>
      loadCore(new URL(coreUrl, location.href).href, wasm),
    )
    const core = await opened
    const { writeFile } = core.FS as unknown as MemoryFs
    const path = `/${file.name}`
    writeFile(path, new Uint8Array(await file.arrayBuffer()))
    core.ffprobe(
      '-v',
      'error',
      '-print_format',
      'json',
      '-show_format',
      '-show_streams',
      path,
      '-o',
      '/out.json',
    )
    core.FS.unlink(path)
    const { streams } = JSON.parse(new TextDecoder().decode(core.FS.readFile('/out.json'))) as {
      readonly streams: readonly unknown[]
    }
    return streams.length
  },
}
export type MemfsPeer = typeof peer
expose(peer)
