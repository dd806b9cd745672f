import type { FfmpegCore } from './core.ts'

/**
 * ffmpeg asks for 64 KiB at a time, and each read of a Blob costs about a millisecond whatever its
 * size.
 */
const AHEAD_BYTES = 1024 * 1024

/** Mounts one file read-only under `folder` and reads it in steps of 1 MiB. */
export function mountWithReadAhead(
  core: FfmpegCore,
  folder: string,
  name: string,
  file: Blob,
): void {
  const { FS } = core
  const type = FS.filesystems.WORKERFS
  FS.mkdir(folder)
  FS.mount(type, { blobs: [{ name, data: file }] }, folder)
  const reader = new FileReaderSync()
  let cached: { readonly start: number; readonly bytes: Uint8Array } = {
    start: 0,
    bytes: new Uint8Array(0),
  }
  type.stream_ops.read = (stream, buffer, offset, length, position) => {
    const end = Math.min(stream.node.size, position + length)
    if (position >= end) return 0
    if (position < cached.start || end > cached.start + cached.bytes.byteLength) {
      const until = Math.min(stream.node.size, position + Math.max(length, AHEAD_BYTES))
      cached = {
        start: position,
        bytes: new Uint8Array(
          reader.readAsArrayBuffer(stream.node.contents.slice(position, until)),
        ),
      }
    }
    const found = cached.bytes.subarray(position - cached.start, end - cached.start)
    buffer.set(found, offset)
    return found.byteLength
  }
}
