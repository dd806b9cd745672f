import pg from 'pg'

/**
 * Acts right after each statement of this process that is wanted, when the answer of the database
 * has come and before anything else happens with it. Call it before the server starts.
 */
export function afterStatement(
  isWanted: (text: string, values: unknown) => boolean,
  act: () => void,
): void {
  const prototype = pg.Client.prototype as { query: (...given: unknown[]) => unknown }
  const { query } = prototype
  prototype.query = function (this: unknown, ...given) {
    if (!isWanted(textOf(given[0]), given[1])) return query.apply(this, given)
    const last = given.at(-1)
    if (typeof last !== 'function')
      return (query.apply(this, given) as Promise<unknown>).finally(act)
    const answer = (...answered: unknown[]): void => {
      act()
      last(...answered)
    }
    return query.apply(this, [...given.slice(0, -1), answer])
  }
}

function textOf(statement: unknown): string {
  const text =
    typeof statement === 'object' && statement !== null && 'text' in statement
      ? statement.text
      : statement
  return typeof text === 'string' ? text : ''
}
