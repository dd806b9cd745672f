import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, deflateSync } from 'node:zlib'
import { faceBoxAt } from '#recipes/face-cover/cover.ts'
import type { FaceRectangle, FaceTrack } from '#recipes/face-cover/types.ts'
import type { PlanMask } from '#recipes/types.ts'

/** Writes the mask of a plan; two hours take some seconds and some megabytes. */
export async function writeMask(path: string, mask: PlanMask, signal: AbortSignal): Promise<void> {
  await pipeline(Readable.from(picturesOf(mask)), createWriteStream(path), { signal })
}

/**
 * Covers have whole milliseconds and pictures have not: the first one after a cut may come so much
 * before the face that begins with it.
 */
const ROUNDED_MS = 1

/** One PNG for each picture. */
function* picturesOf(mask: PlanMask): Generator<Uint8Array> {
  const { cover, size, frameRate, fromMs: beginMs, durationMs } = mask
  const coming = cover.tracks.toSorted((a, b) => b.startMs - a.startMs)
  let shown: FaceTrack[] = []
  let last: { readonly key: string; readonly png: Uint8Array } = { key: '', png: new Uint8Array() }
  const count = Math.ceil((durationMs / 1000) * frameRate)
  for (let index = 0; index < count; index += 1) {
    const fromMs = beginMs + (index * 1000) / frameRate - ROUNDED_MS
    const toMs = beginMs + ((index + 1) * 1000) / frameRate + ROUNDED_MS
    while ((coming.at(-1)?.startMs ?? Infinity) < toMs) shown.push(...coming.splice(-1))
    shown = shown.filter(({ endMs }) => endMs > fromMs)
    const isWhole = cover.wholly.some(({ startMs, endMs }) => startMs < toMs && endMs > fromMs)
    const boxes = isWhole
      ? [[0, 0, size.width, size.height] as const]
      : shown.map((track) => cellsOf([faceBoxAt(track, fromMs), faceBoxAt(track, toMs)], size))
    const key = boxes.join(' ')
    if (key !== last.key || index === 0) last = { key, png: pngOf(boxes, size) }
    yield last.png
  }
}

type Cells = readonly [left: number, top: number, right: number, bottom: number]

/** The cells that a box touches while it moves from one place to the other. */
function cellsOf(boxes: readonly FaceRectangle[], { width, height }: PlanMask['size']): Cells {
  return [
    Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.x)) * width)),
    Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.y)) * height)),
    Math.min(width, Math.ceil(Math.max(...boxes.map((box) => box.x + box.width)) * width)),
    Math.min(height, Math.ceil(Math.max(...boxes.map((box) => box.y + box.height)) * height)),
  ]
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A picture of black and white only, one bit a pixel. */
function pngOf(boxes: readonly Cells[], { width, height }: PlanMask['size']): Uint8Array {
  const rowBytes = 1 + Math.ceil(width / 8)
  const rows = Buffer.alloc(rowBytes * height)
  for (const [left, top, right, bottom] of boxes)
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1) {
        const at = y * rowBytes + 1 + (x >> 3)
        rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7))
      }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
