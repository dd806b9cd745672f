import { MessageScreen } from './MessageScreen.tsx'
import { paths } from '#src/config/paths.ts'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/** `/not-authorized` */
export function NotAuthorizedScreen() {
  return (
    <MessageScreen
      eyebrow="401"
      title="Not authorized"
      action={<LinkButton to={paths.edits}>Go back to My Edits</LinkButton>}
    >
      Sorry, you&apos;re not authorized to access this page.
    </MessageScreen>
  )
}
