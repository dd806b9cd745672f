/**
 * `npm run bench -- upload [repetitions] [network ...]`: the app, at a first visit and with its
 * service worker installed, against a bare five-way XHR PUT, the same with hashing, and Uppy; same
 * bytes, same server, same run. Then how soon the app
 * continues after a reload and after an outage. Networks: loopback gigabit large connection
 * shared; bucket (of Ceph, where ONECUT_CEPH_DIR is set: the app and the bare PUT); going-on; tasks
 * (of the page's main thread); all by default.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { loadavg } from 'node:os'
import { chromium } from '@playwright/test'
import {
  bundlePageSenders,
  isApp,
  runSender,
  SENDERS,
  type Run,
  type SenderName,
} from './senders.ts'
import { measureGoingOn } from './going-on.ts'
import { measurePageTasks } from './page-tasks.ts'
import { median, spread } from './statistics.ts'
import { FAST_NETWORK, type NetworkSpeed } from '#tests/faults/faults.ts'
import { MIB, startFaultWorld } from '#tests/faults/fault-world.ts'
import { bucketSettings } from '#tests/setup/bucket-settings.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'

interface Setting {
  readonly key: string
  readonly name: string
  readonly network: NetworkSpeed | null
  readonly fileBytes: number
  readonly partBytes: number
  /** Parts go to a bucket, whose engine is on the same machine. */
  readonly isBucket?: boolean
}

const SETTINGS: readonly Setting[] = [
  { key: 'loopback', name: 'loopback', network: null, fileBytes: 512 * MIB, partBytes: 16 * MIB },
  {
    key: 'gigabit',
    name: '1 Gbit/s in all, 5 ms',
    network: { ...FAST_NETWORK, latencyMs: 5, totalBytesPerSecond: 125_000_000 },
    fileBytes: 512 * MIB,
    partBytes: 16 * MIB,
  },
  {
    key: 'large',
    name: '1 Gbit/s in all, 20 ms',
    network: { ...FAST_NETWORK, latencyMs: 20, totalBytesPerSecond: 125_000_000 },
    fileBytes: 2_048 * MIB,
    partBytes: 16 * MIB,
  },
  {
    key: 'connection',
    name: '8 MB/s per connection, 60 ms',
    network: { ...FAST_NETWORK, latencyMs: 60, connectionBytesPerSecond: 8_000_000 },
    fileBytes: 240 * MIB,
    partBytes: 16 * MIB,
  },
  {
    key: 'shared',
    name: '20 Mbit/s in all, 60 ms',
    network: { ...FAST_NETWORK, latencyMs: 60, totalBytesPerSecond: 2_500_000 },
    fileBytes: 25 * MIB,
    partBytes: 5 * MIB,
  },
  {
    key: 'bucket',
    name: 'a bucket of Ceph, loopback',
    network: null,
    fileBytes: 240 * MIB,
    partBytes: 16 * MIB,
    isBucket: true,
  },
]
/** Others send no headers that a part wants. */
const BUCKET_SENDERS: readonly SenderName[] = ['first', 'installed', 'bare']

const repetitions = Number(process.argv[2] ?? 7)
const pageScript = await bundlePageSenders()
console.log(
  `${repetitions} repetitions, senders rotated; times are medians in seconds (least to most), from creation to completion by the server's clock`,
)
const lines = process.argv.slice(3)
const isWanted = (key: string): boolean => lines.length === 0 || lines.includes(key)
for (const setting of SETTINGS) if (isWanted(setting.key)) await measure(setting)
if (isWanted('going-on')) await measureGoingOn(repetitions)
if (isWanted('tasks')) await measurePageTasks()

async function measure(setting: Setting): Promise<void> {
  const isBucket = setting.isBucket === true
  if (isBucket && CEPH_TREE === null) return console.log(`\n## ${setting.name}: no Ceph here`)
  const ceph = isBucket ? await startCeph(CEPH_TREE ?? '') : null
  const senders = isBucket ? BUCKET_SENDERS : SENDERS
  const world = await startFaultWorld({
    ONECUT_PART_SIZE_BYTES: String(setting.partBytes),
    ...(ceph === null ? {} : bucketSettings(ceph.place)),
  })
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  })
  try {
    const made = await world.makeFile('bench.mp4', setting.fileBytes)
    const checksums = isBucket ? await checksumsOf(made.path, setting.partBytes) : []
    const file = { ...made, checksums }
    const runs = new Map<SenderName, Run[]>(senders.map((sender) => [sender, []]))
    let sentTwiceBytes = 0
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const order = senders.map(
        (_, index) => senders[(index + repetition) % senders.length] ?? 'first',
      )
      for (const sender of order) {
        const device = `${sender}-${repetition}`
        if (setting.network !== null) world.proxy.setNetwork(device, setting.network)
        runs
          .get(sender)
          ?.push(
            await runSender(
              world,
              browser,
              setting.network === null ? world.server.origin : world.proxy.origin,
              device,
              sender,
              pageScript,
              file,
            ),
          )
        if (isApp(sender) && setting.network !== null)
          sentTwiceBytes += world.proxy.ledger.receivedBytes(device) - file.sizeBytes
      }
    }
    print(setting, runs, setting.network === null ? null : sentTwiceBytes)
  } finally {
    await browser.close()
    await world.dispose()
    await ceph?.stop()
  }
}

/** SHA-256 of each part, in base64. */
async function checksumsOf(path: string, partBytes: number): Promise<readonly string[]> {
  const checksums: string[] = []
  for await (const part of createReadStream(path, { highWaterMark: partBytes }))
    checksums.push(
      createHash('sha256')
        .update(part as Buffer)
        .digest('base64'),
    )
  return checksums
}

function print(
  setting: Setting,
  runs: ReadonlyMap<SenderName, readonly Run[]>,
  sentTwiceBytes: number | null,
): void {
  console.log(
    `\n## ${setting.name}: ${setting.fileBytes / MIB} MiB in parts of ${setting.partBytes / MIB} MiB (load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')})`,
  )
  const middleOf = (sender: SenderName): number =>
    median((runs.get(sender) ?? []).map(({ seconds }) => seconds))
  console.log(
    "| sender | seconds | speed | first visit's speed of its | installed app's speed of its | processor time of the browser | a GB | longest task | heap of the page | peak memory of the page's process |",
  )
  for (const [sender, all] of runs) {
    const seconds = all.map((run) => run.seconds)
    const middle = median(seconds)
    const browserSeconds = median(all.map((run) => run.browserSeconds))
    const cells = [
      sender,
      spread(seconds),
      `${(setting.fileBytes / 1_000_000 / middle).toFixed(1)} MB/s`,
      (middle / middleOf('first')).toFixed(3),
      (middle / middleOf('installed')).toFixed(3),
      `${browserSeconds.toFixed(1)} s`,
      `${((browserSeconds * 1_000_000_000) / setting.fileBytes).toFixed(1)} s`,
      `${Math.round(Math.max(...all.map((run) => run.longestTaskMs)))} ms`,
      `${median(all.map((run) => run.heapMb)).toFixed(0)} MB`,
      `${median(all.flatMap((run) => run.peakMb ?? [])).toFixed(0)} MB`,
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  if (sentTwiceBytes !== null) console.log(`the app sent ${sentTwiceBytes} bytes twice`)
}
