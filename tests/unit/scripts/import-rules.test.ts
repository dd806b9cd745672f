import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkGlobalDoors } from '#scripts/check-global-doors.ts'
import { lintConfig } from '#scripts/lint-config.ts'

/** Files, what they may not import, and what they may. */
const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'src/features/upload/UploadScreen.tsx',
    [
      '#src/features/edits/x.ts',
      '#src/app/x.ts',
      '#server/db/client.ts',
      '#workers/media/x.ts',
      '../edits/x.ts',
      'dexie',
      'mediabunny',
    ],
    ['#src/features/upload/x.ts', '#src/components/x.ts', '#src/local/x.ts', './x.ts', 'react'],
  ],
  [
    'src/local/uploads/engine/engine.ts',
    [
      '#src/local/outbox/x.ts',
      '#src/hooks/x.ts',
      '#src/local/dbx/x.ts',
      '#src/local/uploads/adapters/x.ts',
      '#src/local/uploads/x.ts',
      'dexie',
    ],
    [
      '#src/local/uploads/engine/x.ts',
      '#src/local/uploads/transfer/x.ts',
      '#src/local/uploads/ports.ts',
      '#src/local/db/x.ts',
      '#src/local/channel/x.ts',
      '#src/lib/x.ts',
    ],
  ],
  ['src/local/db/account-db.ts', ['#src/ui/x.ts'], ['dexie', '#src/lib/x.ts']],
  [
    'src/ui/Button.tsx',
    ['#src/components/x.ts', '#src/local/x.ts'],
    ['#src/ui/x.ts', '#src/lib/x.ts'],
  ],
  [
    'workers/media/media.worker.ts',
    ['#workers/upload/x.ts', '#src/ui/x.ts'],
    ['#workers/media/x.ts', 'mediabunny', 'comlink', '#src/local/x.ts'],
  ],
  [
    'workers/upload/upload.worker.ts',
    ['#workers/media/x.ts', 'mediabunny'],
    ['#workers/upload/x.ts', 'comlink'],
  ],
  [
    'src/local/uploads/hand-over/hand-over.ts',
    [
      '#src/local/uploads/network/x.ts',
      '#src/local/uploads/transfer/x.ts',
      '#src/local/uploads/engine/x.ts',
      '#src/local/uploads/adapters/x.ts',
    ],
    [
      '#src/local/uploads/model/x.ts',
      '#src/local/uploads/file/x.ts',
      '#src/local/uploads/ports.ts',
      '#src/local/uploads/api.ts',
    ],
  ],
  [
    'server/src/db/client.ts',
    ['#src/lib/x.ts', 'pg-boss', '#server/operations/x.ts', '#server/http/x.ts', '#server/env.ts'],
    ['pg', 'drizzle-orm', '#recipes/x.ts', '#server/log.ts'],
  ],
  [
    'server/src/operations/commerce/orders/create.ts',
    [
      'hono',
      'pg',
      'nodemailer',
      'altcha-lib/algorithms/pbkdf2',
      '#server/http/request-context.ts',
      '#server/routes/orders.ts',
      '#server/consumers/start.ts',
      '#server/compose.ts',
      '#server/operations/commerce/payments/x.ts',
      '#server/operations/processing/tasks/x.ts',
      '#server/operations/workflows/x.ts',
    ],
    [
      'drizzle-orm',
      '#server/db/client.ts',
      '#server/operations/core/limits.ts',
      '#server/operations/media/uploads/find.ts',
      '#server/operations/commerce/fulfilment/x.ts',
      '#server/operations/commerce/orders/x.ts',
      '#server/object-store/port.ts',
      '#server/jobs/port.ts',
      '#server/policies/current-user.ts',
      '#server/problems.ts',
      '#server/deps.ts',
    ],
  ],
  [
    'server/src/operations/core/ledger/audit.ts',
    ['#server/operations/core/presets/x.ts', '#server/operations/accounts/users/x.ts'],
    ['#server/operations/core/limits.ts', '#server/operations/core/mail/x.ts'],
  ],
  [
    'server/src/operations/core/limits.ts',
    ['#server/operations/core/mail/x.ts', '#server/operations/media/storage/x.ts'],
    ['#server/operations/core/tokens.ts'],
  ],
  [
    'server/src/operations/workflows/upload-arrived.ts',
    ['#server/routes/x.ts', '#server/http/x.ts'],
    ['#server/operations/processing/imports/x.ts', '#server/operations/core/limits.ts'],
  ],
  [
    'server/src/object-store/disk.ts',
    ['#server/operations/x.ts', '#server/http/x.ts', '#server/jobs/port.ts', '#server/routes/x.ts'],
    ['#server/object-store/port.ts', '#server/db/client.ts', '#server/problems.ts'],
  ],
  [
    'server/src/jobs/pgboss.ts',
    ['#server/operations/x.ts', '#server/consumers/x.ts', '#server/mail/port.ts'],
    ['pg-boss', '#server/jobs/port.ts', '#server/log.ts'],
  ],
  [
    'server/src/http/api.ts',
    [
      '#server/operations/accounts/auth/sessions.ts',
      '#server/routes/x.ts',
      '#server/object-store/port.ts',
    ],
    ['hono', '#server/http/cookies.ts', '#server/problems.ts', '#server/db/schema.ts'],
  ],
  [
    'server/src/policies/permissions.ts',
    ['#server/http/x.ts', '#server/operations/x.ts', '#server/db/client.ts'],
    ['#server/problems.ts', '#server/policies/x.ts'],
  ],
  [
    'server/src/views/order.ts',
    ['#server/http/x.ts', '#server/routes/x.ts', '#server/jobs/port.ts'],
    [
      '#server/operations/commerce/orders/facts.ts',
      '#server/db/rows.ts',
      '#server/views/wallet.ts',
    ],
  ],
  [
    'server/src/routes/orders.ts',
    ['#server/db/client.ts', '#server/db/schema.ts', '#server/jobs/port.ts', '#server/env.ts'],
    [
      'hono',
      '#server/http/handlers.ts',
      '#server/operations/commerce/orders/pay.ts',
      '#server/views/order.ts',
      '#server/db/rows.ts',
      '#server/problems.ts',
    ],
  ],
  [
    'server/src/consumers/start.ts',
    ['#server/http/x.ts', '#server/routes/x.ts'],
    ['#server/operations/x.ts', '#server/jobs/port.ts', '#server/deps.ts'],
  ],
  [
    'recipes/teaser.ts',
    ['#server/log.ts', '#src/lib/x.ts', '#checks/x.ts'],
    ['#recipes/x.ts', './x.ts'],
  ],
  ['checks/facts.ts', ['#server/log.ts', '#src/lib/x.ts'], ['#recipes/x.ts', './x.ts']],
]
const SCHEMA = '#openapi/schema.gen.ts'

let root: string
/** What the linter says, one complaint a line. All files in one run: its start is most of it. */
let complaints: readonly string[]

beforeAll(async () => {
  root = `${await mkdtemp(join(tmpdir(), 'onecut-zones-'))}/`
  await writeFile(
    join(root, '.oxlintrc.json'),
    JSON.stringify(lintConfig({ features: ['edits', 'upload'], workers: ['media', 'upload'] })),
  )
  for (const [file, forbidden, allowed] of CASES) await write(file, [...forbidden, ...allowed])
  await write('src/features/upload/a.ts', [SCHEMA])
  await write('src/features/upload/b.ts', [SCHEMA], 'import type { x }')
  complaints = lint().split('\n')
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function write(
  file: string,
  imports: readonly string[],
  prefix = 'import { x }',
): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(
    join(root, file),
    imports
      .map(
        (specifier, index) =>
          `${prefix.replace('x', `x as x${index}`)} from '${specifier}'\nexport { x${index} }\n`,
      )
      .join(''),
  )
}

function lint(): string {
  const oxlint = join(process.cwd(), 'node_modules/.bin/oxlint')
  const { stdout } = spawnSync(oxlint, ['-c', '.oxlintrc.json', '-f', 'unix', '.'], {
    cwd: root,
    encoding: 'utf8',
  })
  return stdout
}

/** Imports that the linter refuses in a file. */
function refused(file: string, imports: readonly string[]): string[] {
  const own = complaints.filter((line) => line.startsWith(`${file}:`))
  return imports.filter((specifier) =>
    own.some((line) => line.includes(`'${specifier}' import is restricted`)),
  )
}

it.each(CASES)('%s may import what the table says and nothing else', (file, forbidden, allowed) => {
  expect(refused(file, [...forbidden, ...allowed])).toEqual(forbidden)
})

it('lets the types of the contract through where code may not come', () => {
  expect(refused('src/features/upload/a.ts', [SCHEMA])).toEqual([SCHEMA])
  expect(refused('src/features/upload/b.ts', [SCHEMA])).toEqual([])
})

it('finds globals outside their door, but not in comments', async () => {
  await mkdir(join(root, 'src/lib'), { recursive: true })
  await writeFile(
    join(root, 'src/lib/time.ts'),
    '// console.log is for log.ts\nconsole.info(1)\nexport const kept = localStorage\n',
  )
  await writeFile(join(root, 'src/lib/log.ts'), 'console.info(1)\n')
  const found = await checkGlobalDoors(root)
  expect(found.filter((line) => line.startsWith('src/lib'))).toEqual([
    'src/lib/time.ts:2: console. has its own place: use src/lib/log.ts, or the log that is passed in.',
    'src/lib/time.ts:3: localStorage has its own place: keep it in a Dexie table.',
  ])
})

it('UPL-11 finds a plain fetch in the server, called or handed on, and none of another object', async () => {
  await mkdir(join(root, 'server/src/net'), { recursive: true })
  const lines = [
    '// fetch(link) is for net/',
    'await fetch(link)',
    'createX({ ...parts, fetch, log })',
    'createX({ fetch })',
    "import { request } from 'node:https'",
    'await parts.fetch(part)',
    "headers['sec-fetch-site']",
  ]
  for (const file of ['server/src/hooks.ts', 'server/src/net/outgoing.ts'])
    await writeFile(join(root, file), lines.join('\n'))
  const found = (await checkGlobalDoors(root)).filter((line) => line.startsWith('server/'))
  expect(found.map((line) => line.split(' ')[0])).toEqual(
    [2, 3, 4, 5].map((line) => `server/src/hooks.ts:${line}:`),
  )
})
