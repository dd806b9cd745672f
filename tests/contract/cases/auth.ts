import { humanToken } from '#tests/fakes/human.ts'
import { createFakePasskey } from '#tests/fakes/authenticator.ts'
import { expectPasskeyAdded } from '#tests/setup/passkeys.ts'
import type { OperationCases, World } from '#tests/contract/cases/operation-case.ts'

const link = (email: string) => ({
  user: { email },
  captchaToken: humanToken,
  redirectUri: '/create-profile',
})
const newAddress = (): string => `creator-${crypto.randomUUID()}@example.com`

const refusedLinks = [
  { body: { ...link('not-an-address') }, field: 'user.email' },
  { body: { ...link('a@example.com'), captchaToken: '' }, field: 'captchaToken' },
  {
    body: { ...link('a@example.com'), redirectUri: 'https://evil.example/' },
    field: 'redirectUri',
    status: 400 as const,
  },
]

async function askForMail({ server, newPerson }: World) {
  const { email } = await newPerson()
  const client = server.createClient()
  await client.post('/v1/auth/magic-link/login', link(email))
  const text = (await server.lastMail(email))?.text ?? ''
  return {
    client,
    email,
    token: /token=([\w-]+)/.exec(text)?.[1] ?? '',
    code: /^\s+(\d{6})$/m.exec(text)?.[1] ?? '',
  }
}

const NO_ASSERTION = { id: 'a', clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' }

export const authCases: OperationCases = {
  beginPasskeySignIn: {
    valid: async ({ server }) => ({ client: server.createClient(), status: 200 }),
  },
  signInByPasskey: {
    valid: async ({ server, newPerson }) => {
      const { client: owner } = await newPerson()
      const passkey = createFakePasskey()
      await expectPasskeyAdded(server, owner, passkey)
      const client = server.createClient()
      const asked = await client.post<{ options: { challenge: string; rpId: string } }>(
        '/v1/auth/passkey/options',
      )
      const credential = passkey.get({ ...asked.body.options, origin: server.origin })
      return { client, body: { credential }, status: 200 }
    },
    invalid: [
      { body: { credential: { ...NO_ASSERTION, id: '%' } }, field: 'credential.id' },
      { body: {}, field: 'credential' },
    ],
  },
  signUpByMagicLink: {
    valid: async ({ server }) => ({
      client: server.createClient(),
      body: link(newAddress()),
      status: 202,
    }),
    invalid: [...refusedLinks, { body: link('a+b@example.com'), field: 'user.email' }],
  },
  logInByMagicLink: {
    valid: async ({ server }) => ({
      client: server.createClient(),
      body: link(newAddress()),
      status: 202,
    }),
    invalid: refusedLinks,
  },
  showMagicLinkPage: {
    valid: async (world) => {
      const { client, token } = await askForMail(world)
      return { client, query: { token }, status: 200 }
    },
  },
  signInByMagicLink: {
    valid: async (world) => {
      const { client, token } = await askForMail(world)
      return { client, body: { token }, status: 303 }
    },
    invalid: [{ body: { token: 7 }, field: 'token' }],
  },
  signInByMagicLinkCode: {
    valid: async (world) => {
      const { client, email, code } = await askForMail(world)
      return { client, body: { email, code }, status: 200 }
    },
    invalid: [
      { body: { email: 'a@example.com', code: '12345' }, field: 'code' },
      { body: { email: 'a', code: '123456' }, field: 'email' },
    ],
  },
  logOut: { valid: async ({ newPerson }) => ({ client: (await newPerson()).client, status: 204 }) },
}
