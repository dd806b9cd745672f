import { randomBytes } from 'node:crypto'
import type { Deps } from '#server/deps.ts'
import { BROWSER_COOKIE, DEVICE_COOKIE } from '#server/http/cookies.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { asUser } from '#server/http/request-context.ts'
import { deviceNameOf } from '#server/operations/accounts/auth/device-name.ts'
import {
  addPasskey,
  beginAdding,
  listPasskeys,
  removePasskey,
} from '#server/operations/accounts/passkeys/manage.ts'
import { beginSignIn, signInByPasskey } from '#server/operations/accounts/passkeys/sign-in.ts'
import { viewPasskey } from '#server/views/passkey.ts'
import { viewUser } from '#server/views/user.ts'
import { BROWSER_COOKIE_S, changeSession } from './auth.ts'
import { sessionOf } from './users.ts'

/** Passkeys: those of the signed-in person, and signing in with one. */
export function createPasskeyRoutes(deps: Deps) {
  return {
    listPasskeys: async ({ context }) => ({
      status: 200,
      body: { passkeys: (await listPasskeys(asUser(deps, context))).map(viewPasskey) },
    }),
    beginAddingPasskey: async ({ context }) => {
      const sessionId = sessionOf(context)
      return {
        status: 200,
        body: { options: await beginAdding(asUser(deps, context), { sessionId }) },
      }
    },
    addPasskey: async ({ body, context }) => {
      const passkey = await addPasskey(asUser(deps, context), {
        ...body,
        sessionId: sessionOf(context),
        deviceName: deviceNameOf(context.headers['user-agent']),
      })
      return { status: 201, body: { passkey: viewPasskey(passkey) } }
    },
    removePasskey: async ({ params, context }) => {
      await removePasskey(asUser(deps, context), params)
      return { status: 204 }
    },
    beginPasskeySignIn: async ({ context }) => {
      const browserToken = context.browserId ?? randomBytes(32).toString('base64url')
      context.setCookie(BROWSER_COOKIE, browserToken, { httpOnly: true, maxAgeS: BROWSER_COOKIE_S })
      return { status: 200, body: { options: beginSignIn(deps, { browserToken }) } }
    },
    signInByPasskey: async ({ body, context }) => {
      const signedIn = await signInByPasskey(deps, {
        assertion: body.credential,
        browserToken: context.browserId,
        deviceName: deviceNameOf(context.headers['user-agent']),
        deviceMark: context.cookies[DEVICE_COOKIE] ?? null,
        clientNetwork: context.clientNetwork,
      })
      await changeSession(deps, context, signedIn)
      const { user } = signedIn.session
      const { createdAt } = signedIn
      return {
        status: 200,
        body: { user: viewUser({ user: { ...user, createdAt }, permissions: user.permissions }) },
      }
    },
  } satisfies Partial<Handlers>
}
