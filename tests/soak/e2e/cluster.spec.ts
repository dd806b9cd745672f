import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { attest, photograph, signUpInBrowser } from '#tests/e2e/flow-helpers.ts'
import { differsFrom, probeFile, SCENE_SIZE } from '#tests/e2e/flow-media.ts'
import { expect, test } from '#tests/e2e/quiet.ts'
import { CLUSTER_OWNER } from '#server/db/embedded/initialise.ts'
import { bucketSettings } from '#tests/setup/bucket-settings.ts'
import { CEPH_TREE, startCeph } from '#tests/setup/ceph.ts'
import { freePort } from '#tests/setup/free-port.ts'
import { HAS_NGINX, startNginx, type Nginx } from '#tests/setup/nginx.ts'
import { patience } from '#tests/setup/patience.ts'
import { HAS_PGBOUNCER, startPgBouncer, type PgBouncer } from '#tests/setup/pgbouncer.ts'
import { startReplicated } from '#tests/setup/replicated.ts'
import { PROGRAM_ENV, PROGRAM_FLAGS, serverProgram } from '#tests/setup/server-programs.ts'

const SCENE_SECONDS = 60
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 }
/**
 * Each part is held for this long before its first byte, so that many are under way while an API
 * process is restarted. Where all are held at once, the app may say that it waits for the storage.
 */
const PART_MS = 6_000

test.describe('a whole cluster: nginx, two APIs, PgBouncer, PostgreSQL, Ceph, three workers', () => {
  test.skip(
    CEPH_TREE === null || !HAS_NGINX || !HAS_PGBOUNCER,
    'It needs ONECUT_CEPH_DIR and the Debian packages nginx and pgbouncer',
  )

  let folder: string
  let ceph: Awaited<ReturnType<typeof startCeph>>
  let database: Awaited<ReturnType<typeof startReplicated>>
  let pooler: PgBouncer
  let nginx: Nginx
  let sql: Client
  const ports: number[] = []
  const apis = new Map<number, ChildProcess>()
  const workers: ChildProcess[] = []
  let keys = ''

  async function startProcess(
    name: string,
    env: Readonly<Record<string, string>>,
  ): Promise<ChildProcess> {
    const own = join(folder, name)
    await mkdir(own, { recursive: true })
    const at = (port: number): string => `postgres://${CLUSTER_OWNER}@127.0.0.1:${port}/onecut`
    return spawn(process.execPath, [...PROGRAM_FLAGS, await serverProgram()], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...process.env,
        ...PROGRAM_ENV,
        NODE_ENV: 'production',
        ONECUT_PUBLIC_ORIGIN: `http://127.0.0.1:${nginx.port}`,
        ONECUT_TRUSTED_PROXIES: '127.0.0.1',
        ONECUT_PART_SIZE_BYTES: String(5 * 1024 ** 2),
        ONECUT_DATA_DIR: join(own, 'data'),
        ONECUT_SCRATCH_DIR: join(own, 'scratch'),
        DATABASE_URL: at(pooler.port),
        DATABASE_SESSION_URL: at(database.port),
        ...bucketSettings(ceph.place),
        ...(keys === '' ? {} : { ONECUT_KEYS: keys }),
        ...env,
      },
    })
  }

  async function startApi(port: number): Promise<void> {
    const api = await startProcess(`api-${port}`, { ONECUT_ROLE: 'api', PORT: String(port) })
    apis.set(port, api)
    if (api.stdout === null) throw new Error('No output')
    await once(createInterface(api.stdout), 'line')
  }

  /** As an operator does it: out of nginx, SIGTERM, a start, and into nginx. */
  async function restart(port: number): Promise<void> {
    await nginx.leadTo(ports.filter((each) => each !== port))
    const api = apis.get(port)
    if (api === undefined) throw new Error('No such API')
    const gone = once(api, 'exit')
    api.kill('SIGTERM')
    await gone
    await startApi(port)
    await nginx.leadTo(ports)
  }

  /** The process id of the worker that has the edit, and how much of it is made. */
  async function maker(): Promise<{ readonly pid: number; readonly ratio: number }> {
    const { rows } = await sql.query<{ owner: string; ratio: number }>(
      `select l.owner, t.progress_ratio as ratio from leases l
       join media_job_tasks t on l.name = 'task:' || t.id where l.expires_at > now()`,
    )
    return { pid: Number(rows[0]?.owner.split('/')[2] ?? 0), ratio: rows[0]?.ratio ?? 0 }
  }

  const mails = async () =>
    (
      await sql.query<{ to: string; subject: string; text: string }>(
        'select recipient as to, subject, text from mails order by created_at desc',
      )
    ).rows

  test.beforeAll(async () => {
    test.setTimeout(patience(600))
    folder = await mkdtemp(join(tmpdir(), 'onecut-whole-'))
    await chmod(folder, 0o711)
    ceph = await startCeph(CEPH_TREE ?? '')
    database = await startReplicated()
    const place = { host: '127.0.0.1', port: database.port, user: CLUSTER_OWNER }
    const first = new Client({ ...place, database: 'postgres' })
    await first.connect()
    await first.query('create database onecut')
    await first.end()
    sql = new Client({ ...place, database: 'onecut' })
    await sql.connect()
    pooler = await startPgBouncer(place, folder, UNPRIVILEGED)
    ports.push(await freePort(), await freePort())
    nginx = await startNginx(folder, ports)
    const migrating = await startProcess('migrate', { ONECUT_ROLE: 'migrate' })
    expect((await once(migrating, 'exit'))[0]).toBe(0)
    for (const port of ports) {
      await startApi(port)
      keys ||= await readFile(join(folder, `api-${port}`, 'data', 'keys.json'), 'utf8')
    }
    for (const n of [1, 2, 3])
      workers.push(await startProcess(`worker-${n}`, { ONECUT_ROLE: 'worker' }))
    await expect
      .poll(async () => (await sql.query('select from workers')).rowCount, {
        timeout: patience(60),
      })
      .toBe(3)
  })
  test.afterAll(async () => {
    for (const child of [...apis.values(), ...workers]) child.kill('SIGKILL')
    await nginx?.stop()
    await pooler?.stop()
    await sql?.end()
    await database?.stop()
    await ceph?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('SCL-01 SCL-03 a video is uploaded while each API is restarted, and its edit is delivered though its worker freezes', async ({
    page,
    context,
  }) => {
    test.setTimeout(patience(900))
    const scene = join(folder, 'beach day.mp4')
    makeNoisyScene(scene)
    const server = { origin: `http://127.0.0.1:${nginx.port}`, mails }
    await context.route(`${ceph.place.endpoint}/**`, async (route) => {
      if (route.request().method() === 'PUT') await setTimeout(PART_MS)
      await route.continue()
    })
    await signUpInBrowser(page, server, 'cluster@example.com')
    await page.getByLabel('Choose a video').setInputFiles(scene)
    await page.waitForURL(/\/uploads\/[0-9a-f-]+\/media-jobs\/new$/, { timeout: patience(60) })
    for (const port of ports) await restart(port)
    const { rows } = await sql.query<{ state: string }>('select state from upload_requests')
    console.info('the upload after both restarts', rows)
    await photograph(page, 'cluster-upload')

    await page.getByRole('button', { name: 'Dynamic Watermark', exact: true }).click()
    await page.getByLabel('Name or Social Tag').fill('@someusername')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(
      page.getByText('Your video has been uploaded and is ready for editing'),
    ).toBeVisible({ timeout: patience(180) })
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await page.waitForURL(/\/uploads\/orders\/[0-9a-f-]+\/checkout$/, { timeout: patience(60) })
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText('Order is fully paid!')).toBeVisible({ timeout: patience(60) })

    await expect
      .poll(async () => (await maker()).ratio, { timeout: patience(120), intervals: [50] })
      .toBeGreaterThan(0.05)
    const { pid } = await maker()
    expect(workers.map((worker) => worker.pid)).toContain(pid)
    process.kill(pid, 'SIGSTOP')
    const frozenAtMs = performance.now()
    const isTaken = async () => ![0, pid].includes((await maker()).pid)
    await expect.poll(isTaken, { timeout: patience(60), intervals: [100] }).toBe(true)
    const takenAfterS = (performance.now() - frozenAtMs) / 1000
    console.info('the frozen edit was taken over after', takenAfterS, 's')
    await photograph(page, 'cluster-work')
    await expect(page.getByRole('heading', { name: 'Your edits are ready' })).toBeVisible({
      timeout: patience(240),
    })
    process.kill(pid, 'SIGCONT')
    await page.getByRole('link', { name: 'View All Edits' }).click()
    await page.getByRole('button', { name: 'Show Edits of beach day' }).click()
    await photograph(page, 'cluster-edits')
    const begun = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download watermarked video', exact: true }).click()
    const file = await (await begun).path()
    const facts = await probeFile(file)
    expect(facts.durationMs).toBeGreaterThan((SCENE_SECONDS - 1) * 1000)
    expect(await differsFrom(file, scene, 5)).toBe(true)
    const answers = await nginx.answers()
    console.info(answers.length, 'calls by nginx')
    expect(answers.filter((answer) => answer.startsWith('5'))).toEqual([])
    expect(takenAfterS).toBeLessThan(30)
  })
})

/** A video of some 50 MiB: ten parts and more. */
function makeNoisyScene(path: string): void {
  const { width, height } = SCENE_SIZE
  const picture = `testsrc2=size=${width}x${height}:rate=25:duration=${SCENE_SECONDS}`
  const sound = `sine=frequency=300:duration=${SCENE_SECONDS}`
  const input = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
  const video = ['-vf', 'noise=alls=60:allf=t', '-c:v', 'libx264', '-preset', 'ultrafast']
  const rate = ['-b:v', '7M', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest', path]
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...input, ...video, ...rate])
}
