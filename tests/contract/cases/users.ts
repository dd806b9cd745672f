import { sessions } from '#server/db/schema.ts'
import { createFakePasskey } from '#tests/fakes/authenticator.ts'
import { createPushDevice } from '#tests/fakes/push-service.ts'
import { expectPasskeyAdded, newPasskeyBody } from '#tests/setup/passkeys.ts'
import type { OperationCases } from '#tests/contract/cases/operation-case.ts'

const NO_CREDENTIAL = { id: 'a', clientDataJSON: 'a', attestationObject: 'a', transports: [] }

export const userCases: OperationCases = {
  getCurrentUser: { valid: async () => ({ status: 200 }) },
  getProfile: { valid: async ({ me }) => ({ params: { userId: me.userId }, status: 200 }) },
  updateProfile: {
    valid: async ({ me }) => ({
      params: { userId: me.userId },
      body: { userProfile: { profession: 'Video Editor' } },
      status: 200,
    }),
    invalid: [
      { body: { userProfile: { profession: 'Pirate' } }, field: 'userProfile.profession' },
      { body: { userProfile: { mailsOff: ['all'] } }, field: 'userProfile.mailsOff.0' },
      { body: { userProfile: { pushesOff: ['trial-ends'] } }, field: 'userProfile.pushesOff.0' },
      { body: { userProfile: { mailsNameVideos: 'yes' } }, field: 'userProfile.mailsNameVideos' },
      { body: { userProfile: { discreet: 'yes' } }, field: 'userProfile.discreet' },
      {
        body: { userProfile: { deleteSourcesAfterDays: 0 } },
        field: 'userProfile.deleteSourcesAfterDays',
      },
      { body: { userProfile: {} }, field: 'userProfile' },
    ],
  },
  listSessions: { valid: async () => ({ status: 200 }) },
  endOtherSessions: {
    valid: async ({ newPerson }) => ({ client: (await newPerson()).client, status: 204 }),
  },
  endSession: {
    valid: async ({ me, server }) => {
      const id = crypto.randomUUID()
      const at = server.deps.clock()
      const dates = { createdAt: at, lastSeenAt: at, expiresAt: new Date(at.getTime() + 60_000) }
      await server.deps.db
        .insert(sessions)
        .values({ id, userId: me.userId, tokenHash: id, ...dates })
      return { params: { id }, status: 204 }
    },
  },
  savePushSubscription: {
    valid: async () => ({
      body: createPushDevice('https://updates.push.services.mozilla.com/wpush/v2/one').body,
      status: 204,
    }),
    invalid: [
      { body: { endpoint: '', keys: {} }, field: 'endpoint' },
      { body: { endpoint: 'https://a.b', keys: { p256dh: 'a', auth: 'a' } }, field: 'keys.p256dh' },
      { body: { endpoint: 'https://a.b' }, field: 'keys' },
    ],
  },
  endPushSubscription: { valid: async () => ({ status: 204 }) },
  markNoticesSeen: { valid: async () => ({ status: 204 }) },
  listPasskeys: { valid: async () => ({ status: 200 }) },
  beginAddingPasskey: { valid: async () => ({ status: 200 }) },
  addPasskey: {
    valid: async ({ me, server }) => ({
      body: await newPasskeyBody(server, me.client, createFakePasskey()),
      status: 201,
    }),
    invalid: [
      { body: { name: ' ', credential: NO_CREDENTIAL }, field: 'name' },
      { body: { name: null, credential: { ...NO_CREDENTIAL, id: '%' } }, field: 'credential.id' },
      { body: { name: null }, field: 'credential' },
    ],
  },
  removePasskey: {
    valid: async ({ me, server }) => {
      const { _id } = await expectPasskeyAdded(server, me.client, createFakePasskey())
      return { params: { id: _id }, status: 204 }
    },
  },
  exportAccount: { valid: async () => ({ status: 200 }) },
  deleteAccount: {
    valid: async ({ newPerson }) => {
      const { client, email } = await newPerson()
      return { client, body: { email }, status: 200 }
    },
    invalid: [
      { body: { email: 'other@example.com' }, field: 'email' },
      { body: { email: 'no address' }, field: 'email' },
      { body: {}, field: 'email' },
    ],
  },
}
