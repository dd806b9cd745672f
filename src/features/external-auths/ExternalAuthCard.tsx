import { useState, type ReactNode } from 'react'
import { ConnectDrive } from '#src/components/drive/ConnectDrive.tsx'
import { driveState, type DriveState } from '#src/components/drive/drive-state.ts'
import { longDateWords } from '#src/lib/time-words.ts'
import type { ExternalAuth } from '#src/local/nouns/external-auths.ts'
import { Badge, type BadgeTone } from '#src/ui/Badge.tsx'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { DisconnectDialog } from './DisconnectDialog.tsx'

const BADGES: Readonly<Record<DriveState, { readonly tone: BadgeTone; readonly word: string }>> = {
  disconnected: { tone: 'bad', word: 'Disconnected' },
  limited: { tone: 'warning', word: 'Limited Access' },
  connected: { tone: 'good', word: 'Connected' },
}

/** One drive: what is known of it, and what can be done about it. */
export function ExternalAuthCard({
  auth,
  onChanged,
}: {
  readonly auth: ExternalAuth
  readonly onChanged: () => void
}) {
  const { _id, createdAt, disconnectedAt, externalAuthCredentials } = auth
  const { provider, googleAccountEmail } = externalAuthCredentials
  const state = driveState(auth)
  const { tone, word } = BADGES[state]
  return (
    <Card as="li" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{providerName(provider)}</h2>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <dl className="grid gap-3 sm:grid-cols-2">
        <Fact name="Connected">{longDateWords(Date.parse(createdAt))}</Fact>
        <Fact name="Google account">{googleAccountEmail ?? 'N/A'}</Fact>
        {disconnectedAt === null ? null : (
          <Fact name="Disconnected">{longDateWords(Date.parse(disconnectedAt))}</Fact>
        )}
        <Fact name="Integration ID">{_id}</Fact>
      </dl>
      <Standing auth={auth} state={state} />
      <Actions auth={auth} state={state} onChanged={onChanged} />
    </Card>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  )
}

function Standing({ auth, state }: { readonly auth: ExternalAuth; readonly state: DriveState }) {
  if (state === 'disconnected') return null
  if (state === 'limited')
    return (
      <Notice kind="warning" title="Missing Download Permissions">
        Allow the server to read the files that you choose when Google asks.
      </Notice>
    )
  if (!auth.externalAuthCredentials.refreshTokenIsExpired)
    return <p className="font-medium text-good">Active Connection</p>
  return (
    <Notice
      kind="error"
      title="Please reconnect your Google account first..."
      action={
        <ConnectDrive
          label="Reconnect"
          provider={auth.externalAuthCredentials.provider}
          variant="secondary"
          size="small"
        />
      }
    >
      Google lets this server in no more. Imports under way wait until you have reconnected.
    </Notice>
  )
}

interface ActionsProps {
  readonly auth: ExternalAuth
  readonly state: DriveState
  readonly onChanged: () => void
}

function Actions({ auth, state, onChanged }: ActionsProps) {
  const [isAsking, setAsking] = useState(false)
  const { provider } = auth.externalAuthCredentials
  if (state === 'disconnected')
    return (
      <div>
        <ConnectDrive label="Reconnect" provider={provider} variant="secondary" />
      </div>
    )
  return (
    <div className="mt-auto flex flex-wrap items-start gap-3">
      {state === 'limited' ? <ConnectDrive label="Reauthorize" provider={provider} /> : null}
      <Button variant="secondary" onPress={() => setAsking(true)}>
        Disconnect Integration
      </Button>
      <DisconnectDialog
        externalAuthId={auth._id}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onDisconnected={onChanged}
      />
    </div>
  )
}

function providerName(provider: string): string {
  return provider === 'google-oauth' ? 'Google Drive' : provider
}
