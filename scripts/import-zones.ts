/**
 * Who may import whom: the table of ARCHITECTURE.md as data. `scripts/lint.ts` makes the linter's
 * rules of it and of a listing of the features; change it here, together with ARCHITECTURE.md.
 */

/**
 * Folders with rules of their own, by the imports (`#` paths without the star) that they may use
 * beside themselves.
 */
export interface Zone {
  /** Files the rules hold for. The last zone that matches a file counts. */
  readonly files: readonly string[]
  readonly may: readonly string[]
  /** Zones of which only types may be imported. */
  readonly mayTypes?: readonly string[]
  /** Types of neighbours in the same folder may be named, their code not used. */
  readonly seesNeighbourTypes?: boolean
}

/**
 * Every place that can be imported; a file may import its own zone's `may`, all others are refused.
 */
export const places = [
  '#src/main',
  '#src/app',
  '#src/features',
  '#src/components',
  '#src/ui',
  '#src/hooks',
  '#src/bridge',
  '#src/local',
  '#src/api',
  '#src/config',
  '#src/lib',
  '#src/styles',
  '#workers',
  '#server',
  '#openapi',
  '#recipes',
  '#checks',
  '#spec',
  '#tests',
  '#scripts',
] as const

/** What server, page and workers share beside the contract. */
const bothSides = ['#recipes', '#checks', '#spec']

const belowPage = ['#src/local', '#src/api', '#src/config', '#src/lib', '#spec']
const page = [
  '#src/app',
  '#src/features',
  '#src/components',
  '#src/ui',
  '#src/hooks',
  '#src/bridge',
  ...belowPage,
  '#src/styles',
]

/**
 * What each part of `src/local` may use of the others; `compose` and the entries beside it see all.
 * `nouns` is below all of them: `db` makes its tables from it.
 */
const localParts = [
  'uploads',
  'outbox',
  'calls',
  'sync',
  'probe',
  'previews',
  'made',
  'push',
  'session',
  'edits',
  'kept',
] as const
const localBase = ['#src/api', '#src/config', '#src/lib', ...bothSides]

/** The rooms of the upload engine, from the bottom: each sees those before it. */
const uploadRooms = [
  'model',
  'file',
  'hand-over',
  'network',
  'transfer',
  'engine',
  'adapters',
  'host',
  'page',
] as const

/** What every part of the server may use. */
const serverBase = [
  '#server/addresses.ts',
  '#server/budgets.ts',
  '#server/calendar.ts',
  '#server/context.ts',
  '#server/deps.ts',
  '#server/framed.ts',
  '#server/log.ts',
  '#server/metrics.ts',
  '#server/policies',
  '#server/problems.ts',
  '#server/project-root.ts',
  '#server/start-error.ts',
  '#server/tool-guard.ts',
  '#spec',
  // What may be logged about a bug is one rule for the page, the workers and the server.
  '#src/lib/describe-bug.ts',
]
/**
 * The ports of the server, each with its adapters. None knows an operation or another one, but for
 * `net`, by which they ask other hosts.
 */
const serverPorts = [
  'drives',
  'human',
  'jobs',
  'mail',
  'media',
  'net',
  'object-store',
  'payments',
  'push',
] as const
const serverPortPlaces = serverPorts.map((port) => `#server/${port}`)

/**
 * The wings of the operations, from the bottom: a wing sees those below it. Its rooms stand in an
 * order too, and each sees those before it, so that no two rooms know each other. `workflows` is on
 * top and not listed: it sees them all, and none of them sees it.
 */
const operationWings = [
  { wing: 'core', rooms: ['mail', 'ledger', 'presets', 'music-tracks', 'front-page'] },
  {
    wing: 'accounts',
    rooms: [
      'users',
      'auth',
      'passkeys',
      'frames',
      'pushes',
      'notices',
      'external-auths',
      'security',
    ],
  },
  {
    wing: 'media',
    rooms: [
      'storage',
      'uploads',
      'known-videos',
      'excerpts',
      'deletions',
      'media-assets',
      'media-jobs',
      'edit-sets',
      'reports',
    ],
  },
  {
    wing: 'commerce',
    rooms: ['fulfilment', 'orders', 'referrals', 'payments', 'subscriptions'],
  },
  {
    wing: 'processing',
    rooms: [
      'speeds',
      'slots',
      'tasks',
      'faces',
      'rendering',
      'samples',
      'forecast',
      'imports',
      'drive-saves',
    ],
  },
] as const
/** Files of `core` that stand in no room: every room sees them, and they see only one another. */
const coreFiles = ['cursor', 'lease', 'limits', 'note-often', 'rest', 'tokens', 'workers'].map(
  (file) => `#server/operations/core/${file}.ts`,
)
const operationsBase = ['#server/db', ...serverPortPlaces, ...serverBase, ...bothSides]

/** The first is for folders that are not in the table: they see no room. */
const operationZones: readonly Zone[] = [
  { files: ['server/src/operations/**'], may: operationsBase, mayTypes: ['#openapi'] },
  {
    files: ['server/src/operations/core/*.ts'],
    may: [...coreFiles, ...operationsBase],
    mayTypes: ['#openapi'],
  },
  ...operationWings.flatMap(({ wing, rooms }, floor) =>
    rooms.map((room, place) => ({
      files: [`server/src/operations/${wing}/${room}/**`],
      may: [
        ...(floor === 0 ? coreFiles : []),
        ...operationWings.slice(0, floor).map((below) => `#server/operations/${below.wing}`),
        ...rooms.slice(0, place + 1).map((before) => `#server/operations/${wing}/${before}`),
        ...operationsBase,
      ],
      mayTypes: ['#openapi'],
    })),
  ),
  {
    files: ['server/src/operations/workflows/**'],
    may: ['#server/operations', ...operationsBase],
    mayTypes: ['#openapi'],
  },
]

/**
 * The server's floors, from the bottom: ports and tables, operations, views, then routes and
 * consumers. `http` stands beside the operations and knows none of them: only routes see both.
 */
const serverZones: readonly Zone[] = [
  {
    files: ['server/**'],
    may: ['#server', ...bothSides, '#src/lib/describe-bug.ts'],
    mayTypes: ['#openapi'],
  },
  ...serverPorts.map((port) => ({
    files: [`server/src/${port}/**`],
    may: [`#server/${port}`, '#server/net', '#server/db', ...serverBase, ...bothSides],
  })),
  { files: ['server/src/db/**'], may: ['#server/db', ...serverBase, ...bothSides] },
  { files: ['server/src/policies/**'], may: ['#server/policies', '#server/problems.ts', '#spec'] },
  ...operationZones,
  {
    files: ['server/src/http/**'],
    may: ['#server/http', '#server/db', ...serverBase],
    mayTypes: ['#openapi'],
  },
  {
    files: ['server/src/views/**'],
    may: [
      '#server/views',
      '#server/operations',
      '#server/db',
      '#server/media',
      '#recipes',
      ...serverBase,
    ],
    mayTypes: ['#openapi'],
  },
  {
    // Rows may be named, tables not: routes run no queries.
    files: ['server/src/routes/**'],
    may: [
      '#server/routes',
      '#server/http',
      '#server/operations',
      '#server/views',
      '#server/object-store',
      '#server/db/rows.ts',
      ...serverBase,
    ],
    mayTypes: ['#openapi'],
  },
  {
    files: ['server/src/consumers/**'],
    may: ['#server/consumers', '#server/operations', '#server/jobs', ...serverBase],
  },
]

/** What the page's features share, from the top down. */
const sharedPageZones: readonly Zone[] = [
  {
    files: ['src/components/**'],
    may: [
      '#src/components',
      '#src/ui',
      '#src/hooks',
      '#src/local',
      '#src/config',
      '#src/lib',
      ...bothSides,
    ],
    mayTypes: ['#src/api', '#openapi'],
  },
  // Words for failed calls begin with the server's own sentence, which src/api reads out of an
  // answer.
  {
    files: ['src/components/problem/**'],
    may: ['#src/components', '#src/local', '#src/api', '#src/config', '#src/lib', ...bothSides],
  },
  {
    files: ['src/hooks/**'],
    may: ['#src/hooks', '#src/bridge', ...belowPage],
    mayTypes: ['#openapi'],
  },
  { files: ['src/ui/**'], may: ['#src/ui', '#src/lib'] },
  { files: ['src/bridge/**'], may: ['#src/bridge', '#src/local', '#src/config', '#src/lib'] },
]

/** What runs in pages and in workers. */
const belowPageZones: readonly Zone[] = [
  { files: ['src/local/**'], may: ['#src/local', ...localBase], mayTypes: ['#openapi'] },
  {
    files: ['src/local/nouns/**'],
    may: ['#src/local/nouns', '#src/api', '#src/config', '#src/lib'],
    mayTypes: ['#openapi'],
  },
  ...localParts.map((part) => ({
    files: [`src/local/${part}/**`],
    may: [
      `#src/local/${part}`,
      '#src/local/db',
      '#src/local/nouns',
      '#src/local/channel',
      ...localBase,
    ],
    mayTypes: ['#openapi'],
    seesNeighbourTypes: true,
  })),
  ...uploadRooms.map((room, floor) => ({
    files: [`src/local/uploads/${room}/**`],
    may: [
      ...uploadRooms.slice(0, floor + 1).map((below) => `#src/local/uploads/${below}`),
      '#src/local/uploads/ports.ts',
      '#src/local/uploads/api.ts',
      '#src/local/db',
      '#src/local/nouns',
      '#src/local/channel',
      ...localBase,
    ],
    mayTypes: ['#openapi'],
    seesNeighbourTypes: true,
  })),
  { files: ['src/api/**'], may: ['#src/api', '#src/config', '#src/lib', '#spec', '#openapi'] },
  { files: ['src/config/**'], may: ['#src/config', '#src/lib'] },
  { files: ['src/lib/**'], may: ['#src/lib'] },
]

/** The zones; `features` are the folder names below src/features, `workers` those below workers. */
export function zones(features: readonly string[], workers: readonly string[]): readonly Zone[] {
  return [
    {
      files: [
        'src/main.tsx',
        'src/front.tsx',
        'src/load-app.ts',
        'src/load-front.ts',
        'src/front-server.tsx',
        'src/shells-server.tsx',
        'src/show-shell.ts',
        'src/app/**',
      ],
      may: page,
    },
    ...features.map((feature) => ({
      files: [`src/features/${feature}/**`],
      may: [
        '#src/components',
        '#src/ui',
        '#src/hooks',
        '#src/bridge',
        ...belowPage,
        `#src/features/${feature}`,
        ...bothSides,
      ],
      mayTypes: ['#openapi'],
    })),
    ...sharedPageZones,
    ...belowPageZones,
    ...workers.map((worker) => ({
      files: [`workers/${worker}/**`],
      may: [...belowPage, ...bothSides, `#workers/${worker}`],
    })),
    ...serverZones,
    { files: ['recipes/**'], may: ['#recipes', '#spec'], mayTypes: ['#openapi'] },
    { files: ['checks/**'], may: ['#checks', '#recipes', '#spec'] },
    { files: ['openapi/**', 'spec/**'], may: [] },
    {
      files: ['scripts/**', '*.config.ts'],
      may: ['#scripts', '#server', ...bothSides, '#openapi', '#src/config', '#src/lib'],
      // What the build writes into pages.
      mayTypes: ['#src/app'],
    },
    // They start what tests share, and print the seed.
    { files: ['scripts/{check,test,soak}.ts', 'scripts/pool/**'], may: ['#scripts', '#tests'] },
    { files: ['tests/**'], may: [...places] },
  ]
}

/** One door per library: where it may be imported. Tests may import everything. */
export const doors: readonly {
  readonly libraries: readonly string[]
  readonly files: readonly string[]
}[] = [
  { libraries: ['dexie'], files: ['src/local/db/'] },
  { libraries: ['@noble/ciphers'], files: ['src/local/db/'] },
  // State below the page runs without React: src/lib/subscribable.ts.
  {
    libraries: ['jotai'],
    files: [
      'src/main.tsx',
      'src/app/',
      'src/features/',
      'src/components/',
      'src/hooks/',
      'src/ui/',
    ],
  },
  { libraries: ['stripe'], files: ['server/src/payments/'] },
  { libraries: ['web-push'], files: ['server/src/push/'] },
  { libraries: ['openapi-fetch'], files: ['src/api/client.ts'] },
  { libraries: ['client-zip'], files: ['src/lib/zip.ts'] },
  { libraries: ['comlink'], files: ['src/bridge/', 'workers/'] },
  {
    libraries: ['workbox-precaching', 'workbox-routing'],
    files: ['workers/service/'],
  },
  { libraries: ['workbox-window'], files: ['src/bridge/'] },
  {
    libraries: ['@ffmpeg/ffmpeg', '@ffmpeg/core', '@ffmpeg/util', 'mediabunny'],
    files: ['workers/media/'],
  },
  { libraries: ['altcha-lib'], files: ['server/src/human/', 'src/features/auth/'] },
  { libraries: ['pg'], files: ['server/src/db/'] },
  { libraries: ['pg-boss'], files: ['server/src/jobs/'] },
  { libraries: ['nodemailer'], files: ['server/src/mail/'] },
  { libraries: ['ajv', 'ajv-formats'], files: ['server/src/http/'] },
  { libraries: ['yaml'], files: ['server/src/http/', 'scripts/build-server.ts'] },
  {
    libraries: ['hono', '@hono/node-server'],
    files: ['server/src/http/', 'server/src/routes/', 'server/src/app.ts'],
  },
  { libraries: ['drizzle-orm'], files: ['server/src/'] },
  {
    libraries: ['@simplewebauthn/server'],
    files: ['server/src/operations/accounts/passkeys/verify.ts'],
  },
  { libraries: ['@simplewebauthn/browser'], files: ['src/hooks/account/authenticator.ts'] },
  { libraries: ['jose'], files: ['server/src/operations/accounts/auth/sessions.ts'] },
  { libraries: ['yazl'], files: ['server/src/media/'] },
  {
    libraries: ['@tensorflow/tfjs-core', '@tensorflow/tfjs-backend-wasm'],
    files: ['server/src/media/faces/program/'],
  },
]

// PATH, to find and start programs of the system; no setting of ours.
const pathReaders = [
  'server/src/compose.ts',
  'server/src/db/embedded/binaries.ts',
  'server/src/media/tool-launcher.ts',
]

/**
 * Doors for what is not imported but simply there: a pattern, where it may stand, and what to use
 * instead.
 */
export const globalDoors: readonly {
  readonly pattern: RegExp
  readonly under: readonly string[]
  readonly except: readonly string[]
  readonly instead: string
}[] = [
  {
    pattern: /\bnew (?:Shared)?Worker\(/,
    under: ['src/', 'workers/'],
    except: ['src/bridge/'],
    instead: 'start workers in src/bridge',
  },
  {
    pattern: /\bnavigator\.serviceWorker\b/,
    under: ['src/', 'workers/'],
    except: ['src/bridge/'],
    instead: 'talk to the service worker in src/bridge',
  },
  {
    pattern: /\blocalStorage\b/,
    under: ['src/', 'workers/'],
    except: [],
    instead: 'keep it in a Dexie table',
  },
  {
    pattern: /\bconsole\./,
    under: ['src/', 'workers/', 'server/', 'recipes/', 'checks/'],
    except: ['src/lib/log.ts'],
    instead: 'use src/lib/log.ts, or the log that is passed in',
  },
  {
    pattern: /\bimport\.meta\.env\b/,
    under: ['src/', 'workers/'],
    except: ['src/config/env.ts'],
    instead: 'read the environment in src/config/env.ts',
  },
  {
    pattern: /\bprocess\.env\b/,
    under: ['server/src/', 'recipes/', 'checks/'],
    except: ['server/src/main.ts', 'server/src/env.ts', ...pathReaders],
    instead: 'read the environment in server/src/env.ts',
  },
  {
    // Called or handed on; the method of another object is another thing.
    pattern: /(?<![\w.'"-])fetch(?=[(,]| [}])|'node:https'/,
    under: ['server/src/'],
    except: [
      'server/src/net/',
      // These ask this server itself, and the last the store of the operator, as browsers do.
      'server/src/process/self-test.ts',
      'server/src/payments/test/notices.ts',
      'server/src/object-store/s3/doctor.ts',
    ],
    instead: 'ask other hosts by server/src/net, which checks what is reached',
  },
]
