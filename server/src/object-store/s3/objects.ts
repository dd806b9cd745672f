import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import type { ObjectStore } from '#server/object-store/port.ts'
import { unavailable } from '#server/problems.ts'
import { unlessMissing } from './client.ts'
import { isOutage } from './outages.ts'

/** What is sent at once of a file of this machine; it is in memory, so that its hash is signed. */
const PIECE_BYTES = 32 * 1024 * 1024

/** Finished files of a bucket. */
export function createObjects(
  client: S3Client,
  Bucket: string,
): Pick<ObjectStore, 'putFile' | 'head' | 'read' | 'remove' | 'removeAll'> {
  const remove = async (Key: string): Promise<void> => {
    await unlessMissing(client.send(new DeleteObjectCommand({ Bucket, Key })))
  }
  return {
    async putFile(Key, localPath, ContentType) {
      await using file = await open(localPath, 'r')
      const sizeBytes = (await file.stat()).size
      const object = { Bucket, Key, ContentType }
      if (sizeBytes <= PIECE_BYTES) {
        const Body = await readPiece(file, 0, sizeBytes)
        await client.send(new PutObjectCommand({ ...object, Body }))
      } else await putPieces(client, object, { file, sizeBytes })
      await rm(localPath, { force: true })
      return { sizeBytes }
    },

    async head(Key) {
      const found = await unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key })))
      return found === null ? null : { sizeBytes: found.ContentLength ?? 0 }
    },

    async read(Key, range) {
      const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }))
      if (!(Body instanceof Readable)) throw new Error('The store sent no body')
      return orUnavailable(Body)
    },

    remove,

    async removeAll(prefix) {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}/` })
      for await (const { Contents = [] } of pages)
        for (const { Key } of Contents) if (Key !== undefined) await remove(Key)
    },
  }
}

/** The same bytes; they end with `system/unavailable` where the store goes away among them. */
function orUnavailable(body: Readable): Readable {
  const bytes = new PassThrough({
    destroy(error, done) {
      body.destroy()
      done(error)
    },
  })
  // A reader that has not begun yet sees it when it begins.
  bytes.on('error', () => undefined)
  body.on('error', (error) => bytes.destroy(isOutage(error) ? unavailable() : error))
  return body.pipe(bytes)
}

interface Pieces {
  readonly file: FileHandle
  readonly sizeBytes: number
}

/** Stores a file that is too large for one request. */
async function putPieces(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string; readonly ContentType: string },
  { file, sizeBytes }: Pieces,
): Promise<void> {
  const { Bucket, Key } = object
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
  const upload = { Bucket, Key, UploadId }
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = []
    for (let at = 0; at < sizeBytes; at += PIECE_BYTES) {
      const PartNumber = Parts.length + 1
      const Body = await readPiece(file, at, Math.min(PIECE_BYTES, sizeBytes - at))
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
      Parts.push({ PartNumber, ETag })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
    throw error
  }
}

async function readPiece(file: FileHandle, at: number, bytes: number): Promise<Buffer> {
  const piece = Buffer.allocUnsafe(bytes)
  for (let got = 0; got < bytes;) {
    const { bytesRead } = await file.read(piece, got, bytes - got, at + got)
    if (bytesRead === 0) throw new Error('The file became shorter while it was stored')
    got += bytesRead
  }
  return piece
}
