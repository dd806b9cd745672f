import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createS3Client } from '#server/object-store/s3/client.ts'
import type { S3Place } from '#server/object-store/s3/place.ts'
import { CreateBucketCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3'
import { freePort } from './free-port.ts'
import { patience } from './patience.ts'

/** The unpacked Debian packages of Ceph, as CONTRIBUTING.md says; null where there are none. */
export const CEPH_TREE = findTree(process.env['ONECUT_CEPH_DIR'])

function findTree(tree: string | undefined): string | null {
  return tree !== undefined && existsSync(join(tree, 'usr/bin/radosgw')) ? tree : null
}

/** A real S3 engine with one bucket. */
interface Ceph {
  readonly place: S3Place
  stop(): Promise<void>
}

const ACCESS = 'testaccess'
const SECRET = 'testsecret0123456789'

/** Starts Ceph's gateway on loopback over a monitor and a disk in memory, without root. */
export async function startCeph(tree: string): Promise<Ceph> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-ceph-'))
  const [monitor, gateway, low] = [await freePort(), await freePort(), await freePort()]
  const lib = join(tree, 'usr/lib/x86_64-linux-gnu')
  const bin = (name: string): string => join(tree, 'usr/bin', name)
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: [lib, join(lib, 'ceph'), join(tree, 'lib/x86_64-linux-gnu')].join(':'),
    PYTHONPATH: join(tree, 'usr/lib/python3/dist-packages'),
    CEPH_CONF: join(folder, 'ceph.conf'),
  }
  for (const name of ['mon', 'osd', 'rgw', 'run']) await mkdir(join(folder, name))
  await writeFile(env.CEPH_CONF, confOf({ folder, lib, monitor, gateway, low }))
  const run = (name: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync(bin(name), args, { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.slice(-500)}`)
  }
  const daemons: ChildProcess[] = []
  const start = (name: string, ...args: string[]): void =>
    void daemons.push(spawn(bin(name), [...args, '-f'], { env, stdio: 'ignore' }))
  const stop = async (): Promise<void> => {
    // Nothing of it is kept: a disk whose monitor has gone would wait for ever.
    for (const daemon of daemons) daemon.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const [map, mon, osd] = ['monmap', 'mon', 'osd'].map((name) => join(folder, name))
    const address = `[v2:127.0.0.1:${monitor}]`
    run('monmaptool', '--create', '--fsid', FSID, '--addv', 'a', address, map!)
    run('ceph-mon', '-i', 'a', '--mkfs', '--mon-data', mon!, '--monmap', map!)
    start('ceph-mon', '-i', 'a', '--mon-data', mon!)
    const ceph = ['/usr/bin/python3', bin('ceph'), 'osd', 'create']
    await until(
      () => spawnSync(ceph[0]!, ceph.slice(1), { env, timeout: patience(20) }).status === 0,
    )
    run('ceph-osd', '-i', '0', '--mkfs', '--osd-data', osd!)
    start('ceph-osd', '-i', '0', '--osd-data', osd!)
    start('radosgw', '-n', 'client.rgw')
    const endpoint = `http://127.0.0.1:${gateway}`
    await until(
      async () =>
        await fetch(endpoint).then(
          ({ ok }) => ok,
          () => false,
        ),
    )
    const user = ['user', 'create', '--uid', 't', '--display-name', 't']
    run('radosgw-admin', '-n', 'client.rgw', ...user, '--access-key', ACCESS, '--secret', SECRET)
    const place = placeOf(endpoint)
    const client = createS3Client(place)
    await client.send(new CreateBucketCommand({ Bucket: place.bucket }))
    const rule = {
      AllowedOrigins: ['*'],
      AllowedMethods: ['PUT', 'GET', 'HEAD'],
      AllowedHeaders: ['*'],
      ExposeHeaders: ['ETag'],
    }
    const cors = { Bucket: place.bucket, CORSConfiguration: { CORSRules: [rule] } }
    await client.send(new PutBucketCorsCommand(cors))
    client.destroy()
    return { place, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function placeOf(endpoint: string): S3Place {
  return {
    bucket: 'onecut',
    endpoint,
    publicEndpoint: null,
    region: 'us-east-1',
    forcePathStyle: true,
    accessKeyId: ACCESS,
    secretAccessKey: SECRET,
    checksums: 'payload',
  }
}

async function until(isReady: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + patience(60)
  while (!(await isReady())) {
    if (performance.now() > end) throw new Error('Ceph did not start')
    await setTimeout(300)
  }
}

const FSID = '5c1b7a5e-0000-4000-8000-000000000001'

interface Conf {
  readonly folder: string
  readonly lib: string
  readonly monitor: number
  readonly gateway: number
  readonly low: number
}

function confOf({ folder, lib, monitor, gateway, low }: Conf): string {
  return `[global]
fsid = ${FSID}
mon host = [v2:127.0.0.1:${monitor}]
auth cluster required = none
auth service required = none
auth client required = none
ms bind msgr1 = false
ms bind port min = ${low}
ms bind port max = ${low + 3}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail warn = 1
mon data avail crit = 1
erasure code dir = ${lib}/ceph/erasure-code
osd class dir = ${lib}/rados-classes
plugin dir = ${lib}/ceph
run dir = ${folder}/run
pid file =
admin socket = ${folder}/run/$name.asok
log file = ${folder}/$name.log
log to stderr = false
err to stderr = false
[osd.0]
osd objectstore = memstore
memstore device bytes = 4294967296
osd memory target = 939524096
[client]
ms mon client mode = crc
auth client required = none
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${gateway}
rgw data = ${folder}/rgw
rgw thread pool size = 8
`
}
