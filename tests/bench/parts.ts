/**
 * `npm run bench -- parts [rounds] [MiB]`: the server's part path against a bare Node sink with
 * SHA-256 and fdatasync, each in a process of its own, in turn. Each round sends so many MiB (384)
 * in parts of 8 MiB over 1, 5 and 20 connections. Then the memory of parts under way.
 */
import { urlOf } from '#tests/setup/part-url.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, spread } from './statistics.ts'
import { createDiskStore } from '#server/object-store/disk.ts'
import type { MultipartPlan } from '#server/object-store/port.ts'
import { createMemoryPartLedger } from '#tests/fakes/part-ledger.ts'
import { lonePartLocks } from '#tests/fakes/part-locks.ts'
import { startDiskStoreProcess } from '#tests/setup/disk-store-process.ts'
import { DISK_STORE_KEY } from '#tests/setup/disk-store-server.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { beginPart, checksumOf, type RawPart } from '#tests/setup/raw-part.ts'
import { beginUpload } from '#tests/setup/upload.ts'

const MIB = 1024 ** 2
const PART_BYTES = 8 * MIB
/** Creators with five slots each. */
const CONNECTIONS = [1, 5, 20]

/** What takes parts, and how its processor time is read. */
interface Receiver {
  readonly name: string
  /** Addresses for so many parts, in lists that are sent side by side. */
  begin(parts: number, connections: number): Promise<{ urls: URL[][]; end(): Promise<void> }>
  processorSeconds(): Promise<number>
}

interface Figures {
  readonly megabytesPerSecond: number
  readonly processorSecondsPerGb: number
}

const rounds = Number(process.argv[2] ?? 5)
const parts = Math.ceil((Number(process.argv[3] ?? 384) * MIB) / PART_BYTES)
const body = randomBytes(PART_BYTES)
const headers = { 'x-amz-checksum-sha256': checksumOf(body) }

const folder = await mkdtemp(join(tmpdir(), 'onecut-parts-bench-'))
const server = await startE2eServer({ ONECUT_PART_SIZE_BYTES: String(PART_BYTES) })
const sink = fork(join(import.meta.dirname, '../fixtures/bare-sink-process.ts'), [folder])
try {
  const receivers = [await bareSink(sink), await onecut()]
  console.log(`${rounds} rounds of ${parts} parts of 8 MiB, in turn; medians (least to most)`)
  for (const connections of CONNECTIONS) await measure(receivers, connections)
  await measureMemory()
} finally {
  sink.kill()
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
}

async function measure(receivers: readonly Receiver[], connections: number): Promise<void> {
  const figures = new Map<string, Figures[]>(receivers.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const receiver of round % 2 === 0 ? receivers : receivers.toReversed())
      figures.get(receiver.name)?.push(await run(receiver, connections))
  console.log(`\n${connections} connections, load ${loadavg()[0]?.toFixed(0)}`)
  for (const [name, all] of figures) {
    const speed = spread(
      all.map((one) => one.megabytesPerSecond),
      0,
    )
    const cost = spread(all.map((one) => one.processorSecondsPerGb))
    console.log(`  ${name}: ${speed} MB/s, ${cost} processor seconds a GB`)
  }
  const [bare = [], ours = []] = figures.values()
  const ratio = (of: (figures: Figures) => number): string =>
    (median(ours.map(of)) / median(bare.map(of))).toFixed(2)
  console.log(
    `  ratio: ${ratio((one) => one.megabytesPerSecond)} x the speed, ${ratio((one) => one.processorSecondsPerGb)} x the processor time`,
  )
}

async function run(receiver: Receiver, connections: number): Promise<Figures> {
  const { urls, end } = await receiver.begin(parts, connections)
  const before = await receiver.processorSeconds()
  const startedMs = performance.now()
  await Promise.all(urls.map(async (list) => await sendInTurn(list)))
  const seconds = (performance.now() - startedMs) / 1000
  const used = (await receiver.processorSeconds()) - before
  await end()
  const bytes = parts * PART_BYTES
  return {
    megabytesPerSecond: bytes / seconds / 1e6,
    processorSecondsPerGb: (used * 1e9) / bytes,
  }
}

/** Sends one part after the other over one connection. */
async function sendInTurn(urls: readonly URL[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const url of urls) {
    const sending = request(url, {
      method: 'PUT',
      agent,
      headers: { ...headers, 'content-length': body.length },
    })
    sending.end(body)
    const [answer] = (await once(sending, 'response')) as [IncomingMessage]
    answer.resume()
    await once(answer, 'end')
    if (answer.statusCode !== 200) throw new Error(`A part was answered ${answer.statusCode}`)
  }
  agent.destroy()
}

/** What a receiver's JavaScript holds while 40 parts lack their last byte. */
async function measureMemory(): Promise<void> {
  const root = join(folder, 'memory')
  const store = await startDiskStoreProcess(root)
  const signer = createDiskStore({
    root,
    key: DISK_STORE_KEY,
    floorBytes: 0,
    ledger: createMemoryPartLedger(),
    locks: lonePartLocks,
    clock: () => new Date(),
  })
  const send = async (uploadId: string, partNumber: number): Promise<RawPart> => {
    const plan = planOf(uploadId)
    const path = await urlOf(signer, plan, partNumber, 3600)
    const part = beginPart(new URL(path, store.origin), { sizeBytes: PART_BYTES, headers })
    await part.send(body.subarray(0, -1))
    return part
  }
  const uploads = [1, 2, 3, 4].map(() => randomUUID())
  for (const uploadId of uploads) await signer.createMultipart(planOf(uploadId))
  const before = await store.heldMemory()
  const parts = await Promise.all(
    uploads.flatMap((id) => Array.from({ length: 10 }, (_, index) => send(id, index + 1))),
  )
  const during = await store.heldMemory()
  for (const part of parts) part.cut()
  await store.kill()
  console.log(`\n40 parts under way: ${((during - before) / 40 / MIB).toFixed(2)} MiB each`)
}

function planOf(uploadId: string): MultipartPlan {
  return {
    uploadId,
    objectKey: `uploads/${uploadId}`,
    sizeBytes: 10 * PART_BYTES,
    partSizeBytes: PART_BYTES,
    partCount: 10,
  }
}

async function bareSink(child: ChildProcess): Promise<Receiver> {
  const [origin] = (await once(child, 'message')) as [string]
  return {
    name: 'bare sink',
    async begin(count, connections) {
      const urls = Array.from({ length: count }, (_, index) => new URL(`/${index}`, origin))
      return {
        urls: dealOut(urls, connections),
        async end() {
          await rm(folder, { recursive: true })
          await mkdir(folder)
        },
      }
    },
    processorSeconds: async () => await usedBy([child.pid ?? 0]),
  }
}

async function onecut(): Promise<Receiver> {
  const { client } = await signUpAt(server)
  const pidFile = join(server.dataDir, 'postgres', 'postmaster.pid')
  const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0])
  return {
    name: 'onecut',
    async begin(count, connections) {
      const uploads = Math.ceil(connections / 5)
      const lists: URL[][] = []
      const ids: string[] = []
      for (let n = 0; n < uploads; n += 1) {
        const upload = await beginUpload(client, (count / uploads) * PART_BYTES)
        const urls = upload.upload.parts.map(
          ({ presignedUrl }) => new URL(presignedUrl ?? '', server.origin),
        )
        lists.push(...dealOut(urls, connections / uploads))
        ids.push(upload._id)
      }
      return {
        urls: lists,
        async end() {
          for (const id of ids) await client.delete(`/v1/upload-requests/${id}`)
        },
      }
    },
    // The database works for parts too.
    processorSeconds: async () =>
      await usedBy([server.pid() ?? 0, postmaster, ...(await childrenOf(postmaster))]),
  }
}

function dealOut<T>(items: readonly T[], hands: number): T[][] {
  return Array.from({ length: hands }, (_, hand) =>
    items.filter((_item, index) => index % hands === hand),
  )
}

/** Processor seconds of processes so far, by Linux's count in hundredths. */
async function usedBy(pids: readonly number[]): Promise<number> {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const fields = await statOf(pid)
      return fields === null ? 0 : Number(fields[11]) + Number(fields[12])
    }),
  )
  return ticks.reduce((sum, each) => sum + each, 0) / 100
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const parents = await Promise.all(pids.map(async (pid) => Number((await statOf(pid))?.[1])))
  return pids.filter((_pid, index) => parents[index] === parent)
}

/** Fields of /proc/PID/stat from the state on, or null when the process has ended. */
async function statOf(pid: number): Promise<string[] | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ')
}
