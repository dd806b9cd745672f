import { useWholeLive } from '#src/hooks/sync/use-live.ts'
import { useMaking } from '#src/hooks/edits/use-made-edits.ts'
import { useScreenChoice, useScreenOn } from '#src/hooks/device/use-screen-on.ts'
import { isSending } from '#src/local/db/upload-states.ts'

/**
 * Leaves the screen on while this device sends or makes an edit, because phones stop pages soon
 * after it goes dark; not while an upload is paused, stands in line, waits for the network or for a
 * person. Renders nothing.
 */
export function ScreenStaysOn() {
  const { staysOn } = useScreenChoice()
  const sending = useWholeLive('uploads-sending', async (db) =>
    // An excerpt moves bytes too.
    (await db.uploads.toArray()).some(({ state }) => isSending(state.kind)),
  )
  const isMaking = useMaking() !== null
  useScreenOn(isMaking || (staysOn === true && sending.kind === 'ready' && sending.value))
  return null
}
