import type { components } from '#openapi/schema.gen.ts'
import type { FakePasskey } from '#tests/fakes/authenticator.ts'
import type { TestClient } from './client.ts'
import type { TestServer } from './server.ts'

type Schemas = components['schemas']

/** Makes a passkey for the signed-in person, as the page would; null to name it by the device. */
export async function expectPasskeyAdded(
  server: Pick<TestServer, 'origin'>,
  client: TestClient,
  passkey: FakePasskey,
  name: string | null = null,
): Promise<Schemas['Passkey']> {
  const body = await newPasskeyBody(server, client, passkey, name)
  const added = await client.post<{ passkey: Schemas['Passkey'] }>('/v1/users/me/passkeys', body)
  if (added.status !== 201)
    throw new Error(`Adding answered ${added.status}: ${JSON.stringify(added.body)}`)
  return added.body.passkey
}

/** The body that adds a passkey, with a fresh challenge. */
export async function newPasskeyBody(
  { origin }: Pick<TestServer, 'origin'>,
  client: TestClient,
  passkey: FakePasskey,
  name: string | null = null,
): Promise<Schemas['AddPasskeyBody']> {
  const asked = await client.post<{ options: Schemas['PasskeyCreationOptions'] }>(
    '/v1/users/me/passkeys/options',
  )
  const { challenge, rp } = asked.body.options
  const credential = passkey.create({ challenge, rpId: rp.id, origin })
  return { name, credential: { ...credential, transports: ['internal'] } }
}
