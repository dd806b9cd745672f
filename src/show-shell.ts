/**
 * Shows the shell of this address before the app's script has come, then asks for what its screen
 * needs. A script of its own, small and without imports at run time: the page waits for it.
 */
import { SESSION_COOKIE } from '#src/config/paths.ts'
import { firstPicture } from '#src/app/shell/first-picture.ts'
import { cookieValue } from '#src/local/session/cookies.ts'

const who = cookieValue(document.cookie, SESSION_COOKIE) === null ? 'visitor' : 'user'
const shells = [...document.querySelectorAll<HTMLTemplateElement>('template[data-shell]')]
const find = (name: string) => shells.find(({ dataset }) => dataset['shell'] === name)
const shell = find(`${who} ${location.pathname}`) ?? find(who)
if (shell !== undefined) {
  document.getElementById('root')?.append(shell.content)
  void firstPicture().then(() => askFor(shell.dataset['scripts']?.split(' ') ?? []))
}
for (const each of shells) each.remove()

function askFor(scripts: readonly string[]): void {
  for (const href of scripts) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = href
    document.head.append(link)
  }
}
