import { isAbsolute } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adviceOn, readSettings } from '#server/env.ts'

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_ID: 'price_1',
}

describe('the settings', () => {
  it('need nothing', () => {
    const settings = readSettings({})
    expect(settings).toMatchObject({
      role: 'all',
      host: '127.0.0.1',
      port: 4400,
      publicOrigin: 'http://localhost:4400',
      databaseUrl: null,
      smtp: null,
      googleDrive: null,
      recaptcha: null,
      supportMail: null,
      stripe: null,
      ffmpegPath: null,
      hasLocalMailbox: true,
      checkAnswers: false,
      takesPayments: true,
      allowsTestPayments: false,
    })
    expect(isAbsolute(settings.dataDir)).toBe(true)
    expect(settings.renderConcurrency).toBeGreaterThanOrEqual(1)
  })

  it('take what is given, and empty variables as not given', () => {
    expect(
      readSettings({
        PORT: '5000',
        HOST: '',
        ONECUT_WORKERS: '3',
        ONECUT_ROLE: 'worker',
        ONECUT_DIVIDE_FROM_S: '90',
      }),
    ).toMatchObject({
      divideFromMs: 90_000,
      segmentMs: 60_000,
      port: 5000,
      host: '127.0.0.1',
      publicOrigin: 'http://localhost:5000',
      renderConcurrency: 3,
      role: 'worker',
    })
    expect(readSettings({ ONECUT_PUBLIC_ORIGIN: 'https://Edits.example.com/' })).toMatchObject({
      publicOrigin: 'https://edits.example.com',
      hasLocalMailbox: false,
    })
    expect(
      readSettings({
        SMTP_URL: 'smtps://user:secret@mail.example:465',
        MAIL_FROM: 'Onecut <hello@example.com>',
      }),
    ).toMatchObject({ smtp: { from: 'Onecut <hello@example.com>' }, hasLocalMailbox: false })
  })

  it.each([
    [{}, 'http://127.0.0.1:4400'],
    [{ HOST: '0.0.0.0', PORT: '5000' }, 'http://127.0.0.1:5000'],
    [{ ONECUT_PUBLIC_ORIGIN: 'http://127.0.0.1' }, 'http://localhost'],
    // Listening so, it answers under one of the two names at most.
    [{ HOST: '::1' }, null],
    [{ HOST: '192.168.1.5' }, null],
    [{ ONECUT_FRAME_ORIGIN: 'none' }, null],
    [{ ONECUT_PUBLIC_ORIGIN: 'https://localhost' }, null],
    [{ ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com' }, null],
    [
      {
        ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com',
        ONECUT_FRAME_ORIGIN: 'https://Frames.example.org/',
      },
      'https://frames.example.org',
    ],
  ])('TRU-11 with %j have the origin of frames %s', (env, frameOrigin) => {
    expect(readSettings(env).frameOrigin).toBe(frameOrigin)
  })

  it.each(['https://edits.example.com:8443', 'http://frames.example.com', 'frames.example.com'])(
    'TRU-11 refuse %s as the origin of frames of https://edits.example.com',
    (ONECUT_FRAME_ORIGIN) => {
      const ONECUT_PUBLIC_ORIGIN = 'https://edits.example.com'
      expect(() => readSettings({ ONECUT_PUBLIC_ORIGIN, ONECUT_FRAME_ORIGIN })).toThrow(
        /^ONECUT_FRAME_ORIGIN is /,
      )
    },
  )

  it('PHO-07 send messages to the push services of browsers, to those that are listed, or none', () => {
    expect(readSettings({}).pushHosts.map(({ name }) => name)).toEqual([
      'fcm.googleapis.com',
      'updates.push.services.mozilla.com',
      'push.apple.com',
      'notify.windows.com',
    ])
    expect(readSettings({ ONECUT_PUSH_HOSTS: 'none' }).pushHosts).toEqual([])
    expect(readSettings({ ONECUT_PUSH_HOSTS: 'push.example.com:8443' }).pushHosts).toEqual([
      { name: 'push.example.com', port: 8443 },
    ])
    expect(() => readSettings({ ONECUT_PUSH_HOSTS: '10.0.0.1' })).toThrow(/ONECUT_PUSH_HOSTS/)
  })

  it('TRU-04 want TLS for mail that leaves this machine, unless they are told otherwise', () => {
    const requiresTls = (SMTP_URL: string, more = {}): boolean | undefined =>
      readSettings({ SMTP_URL, MAIL_FROM: 'hello@example.com', ...more }).smtp?.requiresTls
    expect(requiresTls('smtp://mail.example:587')).toBe(true)
    expect(requiresTls('smtp://127.0.0.1:25')).toBe(false)
    expect(requiresTls('smtp://mail.example:25', { ONECUT_ALLOW_PLAIN_SMTP: '1' })).toBe(false)
  })

  it('take the keys of Stripe, whose mode says whether money moves', () => {
    expect(readSettings(STRIPE).stripe).toEqual({
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      webhookSecret: 'whsec_1',
      priceId: 'price_1',
      movesMoney: false,
    })
    const live = { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
    expect(readSettings({ ...STRIPE, ...live }).stripe?.movesMoney).toBe(true)
  })

  it('SCL-05 serve metrics on loopback where a port is set, and nowhere else', () => {
    expect(readSettings({}).metrics).toBeNull()
    const port = { ONECUT_METRICS_PORT: '9464' }
    expect(readSettings(port).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
    const { metrics } = readSettings({ ...port, ONECUT_METRICS_HOST: '10.0.0.1' })
    expect(metrics).toEqual({ host: '10.0.0.1', port: 9464 })
  })

  it.each([
    ['PORT', { PORT: '70000' }, 'PORT is "70000", but it must be a whole number from 0 to 65535.'],
    ['PORT', { PORT: '44oo' }, 'PORT is "44oo", but it must be a whole number from 0 to 65535.'],
    [
      'ONECUT_ROLE',
      { ONECUT_ROLE: 'boss' },
      'ONECUT_ROLE is "boss", but it must be all, api, worker or migrate.',
    ],
    [
      'ONECUT_WORKERS',
      { ONECUT_WORKERS: '0' },
      'ONECUT_WORKERS is "0", but it must be a whole number from 1 to 64.',
    ],
    [
      'ONECUT_METRICS_PORT',
      { ONECUT_METRICS_PORT: 'on' },
      'ONECUT_METRICS_PORT is "on", but it must be a whole number from 0 to 65535.',
    ],
    [
      'ONECUT_METRICS_HOST',
      { ONECUT_METRICS_HOST: '10.0.0.1' },
      'ONECUT_METRICS_HOST is "10.0.0.1", but it must be left out where ONECUT_METRICS_PORT is.',
    ],
    [
      'DATABASE_SESSION_URL',
      { DATABASE_SESSION_URL: 'postgres://onecut@host/onecut' },
      'DATABASE_SESSION_URL is "postgres://onecut@host/onecut", but it must be left out where DATABASE_URL is.',
    ],
    [
      'ONECUT_PART_SIZE_BYTES',
      { ONECUT_PART_SIZE_BYTES: '1024' },
      'ONECUT_PART_SIZE_BYTES is "1024", but it must be a whole number from 5242880 to 67108864.',
    ],
    [
      'ONECUT_TRUSTED_PROXIES',
      { ONECUT_TRUSTED_PROXIES: 'proxy.local' },
      'ONECUT_TRUSTED_PROXIES is "proxy.local", but it must be addresses or networks of your reverse proxies, such as 127.0.0.1,10.0.0.0/8.',
    ],
    [
      'ONECUT_ACCOUNT_STORAGE_GB',
      { ONECUT_ACCOUNT_STORAGE_GB: '0' },
      'ONECUT_ACCOUNT_STORAGE_GB is "0", but it must be a whole number from 1 to 1000000.',
    ],
    [
      'ONECUT_PUBLIC_ORIGIN',
      { ONECUT_PUBLIC_ORIGIN: 'edits.example.com' },
      'ONECUT_PUBLIC_ORIGIN is "edits.example.com", but it must be an address such as https://edits.example.com, without a path.',
    ],
    [
      'ONECUT_PUBLIC_ORIGIN',
      { ONECUT_PUBLIC_ORIGIN: 'https://example.com/edits' },
      'ONECUT_PUBLIC_ORIGIN is "https://example.com/edits", but it must be an address such as https://edits.example.com, without a path.',
    ],
    [
      'ONECUT_PAYMENTS',
      { ONECUT_PAYMENTS: 'off' },
      'ONECUT_PAYMENTS is "off", but it must be true or false.',
    ],
    [
      'ONECUT_ALLOW_TEST_PAYMENTS',
      { ONECUT_ALLOW_TEST_PAYMENTS: 'yes' },
      'ONECUT_ALLOW_TEST_PAYMENTS is "yes", but it must be 1, or not set.',
    ],
    [
      'DATABASE_URL',
      { DATABASE_URL: 'mysql://me:hush@db/x' },
      'DATABASE_URL is "mysql://me:…@db/x", but it must be a PostgreSQL address such as postgres://user:password@host/onecut.',
    ],
    [
      'SMTP_URL',
      { SMTP_URL: 'mail.example' },
      'SMTP_URL is "mail.example", but it must be a mail server such as smtp://user:password@host:587.',
    ],
    [
      'MAIL_FROM',
      { SMTP_URL: 'smtp://mail.example' },
      'MAIL_FROM is "", but it must be the address that mail comes from, such as "Onecut <hello@example.com>", because SMTP_URL is set.',
    ],
    [
      'ONECUT_SUPPORT_MAIL',
      { ONECUT_SUPPORT_MAIL: 'help@example.com?subject=x' },
      'ONECUT_SUPPORT_MAIL is "help@example.com?subject=x", but it must be one mail address such as support@example.com.',
    ],
    [
      'GOOGLE_CLIENT_SECRET',
      { GOOGLE_CLIENT_ID: 'a.apps.googleusercontent.com' },
      'GOOGLE_CLIENT_SECRET is "", but it must be the secret that belongs to GOOGLE_CLIENT_ID.',
    ],
    [
      'GOOGLE_DRIVE_SCOPE',
      { GOOGLE_DRIVE_SCOPE: 'drive' },
      'GOOGLE_DRIVE_SCOPE is "drive", but it must be drive.file or drive.readonly.',
    ],
    [
      'GOOGLE_PICKER',
      { GOOGLE_CLIENT_ID: 'a.apps', GOOGLE_CLIENT_SECRET: 'x', GOOGLE_PICKER: 'frame' },
      'GOOGLE_PICKER is "frame", but it must be redirect, or frame where GOOGLE_CLIENT_ID begins with the number of its project.',
    ],
    [
      'GOOGLE_API_KEY',
      { GOOGLE_CLIENT_ID: '12-a.apps', GOOGLE_CLIENT_SECRET: 'x', GOOGLE_PICKER: 'frame' },
      'GOOGLE_API_KEY is "", but it must be an API key of the project, for GOOGLE_PICKER=frame.',
    ],
    [
      'RECAPTCHA_SECRET',
      { RECAPTCHA_SITE_KEY: 'site' },
      'RECAPTCHA_SECRET is "", but it must be the secret that belongs to RECAPTCHA_SITE_KEY.',
    ],
    [
      'STRIPE_PUBLISHABLE_KEY',
      { STRIPE_SECRET_KEY: 'sk_test_hush' },
      'STRIPE_PUBLISHABLE_KEY is "", but it must be a publishable key that begins with pk_.',
    ],
    [
      'STRIPE_SECRET_KEY',
      { STRIPE_SECRET_KEY: 'hush', STRIPE_PRICE_ID: 'price_1' },
      'STRIPE_SECRET_KEY is "…", but it must be a secret or restricted key that begins with sk_ or rk_.',
    ],
    [
      'STRIPE_PUBLISHABLE_KEY',
      { ...STRIPE, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' },
      'STRIPE_PUBLISHABLE_KEY is "…", but it must be of the same mode as STRIPE_SECRET_KEY.',
    ],
    [
      'STRIPE_WEBHOOK_SECRET',
      { ...STRIPE, STRIPE_WEBHOOK_SECRET: 'hush' },
      'STRIPE_WEBHOOK_SECRET is "…", but it must be the signing secret of the webhook endpoint, which begins with whsec_.',
    ],
  ])('refuse a wrong %s in one sentence that names it', (_name, env, sentence) => {
    expect(() => readSettings(env)).toThrow(
      expect.objectContaining({ name: 'SettingError', message: sentence }),
    )
  })
})

describe('advice to an operator', () => {
  const smtp = readSettings({ SMTP_URL: 'smtp://mail:25', MAIL_FROM: 'a@example.com' }).smtp
  const [support, books] = ['ONECUT_SUPPORT_MAIL', 'ONECUT_OPERATOR_MAIL']
  it.each([
    ['http://localhost:8787', null, null, null, []],
    ['http://127.0.0.1:8787', null, null, null, []],
    ['https://edits.example.com', 'help@example.com', 'me@example.com', smtp, []],
    ['https://edits.example.com', null, 'me@example.com', smtp, [support]],
    ['https://edits.example.com', 'help@example.com', null, smtp, [books]],
    ['https://edits.example.com', null, 'operator@onecut.invalid', null, [support, books]],
  ])(
    'APP-13 of a server at %s with %s for questions and %s for the operator is true',
    (publicOrigin, supportMail, operatorMail, smtp, settings) => {
      const advice = adviceOn({
        ...readSettings({}),
        publicOrigin,
        supportMail,
        operatorMail,
        smtp,
      })
      expect(advice.map((one) => /ONECUT_\w+/.exec(one)?.[0])).toEqual(settings)
    },
  )

  it('says whose scripts could use an account where frames have no origin of their own', () => {
    const env = {
      ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com',
      ONECUT_SUPPORT_MAIL: 'help@example.com',
      ONECUT_OPERATOR_MAIL: 'me@example.com',
      SMTP_URL: 'smtp://mail:25',
      MAIL_FROM: 'a@example.com',
      DROPBOX_APP_KEY: 'abc123def456',
      GOOGLE_CLIENT_ID: '4711-x.apps.googleusercontent.com',
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_PICKER: 'frame',
      GOOGLE_API_KEY: 'key',
    }
    expect(adviceOn(readSettings(env))).toEqual([
      expect.stringMatching(/^Scripts of Google, Dropbox run .* set ONECUT_FRAME_ORIGIN to it\.$/),
    ])
    const ONECUT_FRAME_ORIGIN = 'https://frames.example.com'
    expect(adviceOn(readSettings({ ...env, ONECUT_FRAME_ORIGIN }))).toEqual([])
  })
})

describe('SCL-01 the settings of a bucket', () => {
  const keys = { S3_ACCESS_KEY_ID: 'an-id', S3_SECRET_ACCESS_KEY: 'a-secret' }

  it('are those of AWS unless an endpoint is named', () => {
    expect(readSettings({ S3_BUCKET: 'files', ...keys }).s3).toEqual({
      bucket: 'files',
      endpoint: null,
      publicEndpoint: null,
      region: 'us-east-1',
      forcePathStyle: false,
      accessKeyId: 'an-id',
      secretAccessKey: 'a-secret',
      checksums: 'checksum',
    })
    expect(
      readSettings({ S3_BUCKET: 'files', S3_ENDPOINT: 'http://10.0.0.5:7480', ...keys }).s3,
    ).toMatchObject({
      endpoint: 'http://10.0.0.5:7480',
      forcePathStyle: true,
      checksums: 'payload',
    })
    expect(readSettings({}).s3).toBeNull()
  })

  it.each([
    [{ S3_BUCKET: 'Files!', ...keys }, 'S3_BUCKET is "Files!"'],
    [{ S3_ENDPOINT: 'https://s3.example' }, 'S3_ENDPOINT is "https://s3.example"'],
    [{ S3_BUCKET: 'files', ...keys, S3_ENDPOINT: 's3.example' }, 'S3_ENDPOINT is "s3.example"'],
    [{ S3_BUCKET: 'files', ...keys, S3_REGION: 'EU west' }, 'S3_REGION is "EU west"'],
    [{ S3_BUCKET: 'files', ...keys, S3_CHECKSUMS: 'md5' }, 'S3_CHECKSUMS is "md5"'],
    [{ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'an-id' }, 'S3_SECRET_ACCESS_KEY is ""'],
    [{ ONECUT_SCRATCH_GB: '5' }, 'ONECUT_SCRATCH_GB is "5"'],
    [
      {
        S3_BUCKET: 'files',
        ...keys,
        S3_ENDPOINT: 'http://s3.example',
        ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com',
      },
      'S3_ENDPOINT is "http://s3.example"',
    ],
  ])('refuse %j in one sentence', (env, words) => {
    expect(() => readSettings(env)).toThrow(words)
  })

  it('never repeat a key', () => {
    const said = (env: Record<string, string>): string => {
      try {
        readSettings(env)
      } catch (error) {
        return error instanceof Error ? error.message : ''
      }
      return ''
    }
    for (const env of [
      { S3_SECRET_ACCESS_KEY: 'a-secret' },
      { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'an-id', S3_SECRET_ACCESS_KEY: 'a secret' },
      { ONECUT_KEYS: 'a-secret', ONECUT_KEYS_FILE: '/keys.json' },
    ])
      expect(said(env)).toMatch(/^(?!.*a.secret).* is "…"/)
  })

  it('keep attempts in a folder of their own, which a start may empty', () => {
    expect(readSettings({ ONECUT_SCRATCH_DIR: '/mnt/fast' }).scratchDir).toBe(
      '/mnt/fast/onecut-scratch',
    )
    expect(readSettings({ ONECUT_DATA_DIR: '/data' }).scratchDir).toBe('/data/scratch')
  })
})
