import { MessageScreen } from '#src/app/screens/MessageScreen.tsx'
import { buttonLook } from '#src/ui/button-look.ts'

/**
 * What the shell says when the app's script does not come: a line that drops at the first visit.
 * Nothing of the app is there, so a link loads the page again.
 */
export function LoadFailure() {
  return (
    <MessageScreen
      title="Onecut did not load"
      action={
        <a href="" className={buttonLook('primary')}>
          Try again
        </a>
      }
    >
      <p role="alert">A part of the page did not arrive. Check your connection, then try again.</p>
    </MessageScreen>
  )
}
