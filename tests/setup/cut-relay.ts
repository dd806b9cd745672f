import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A port of this machine behind which a server goes away and comes back, or is another one. */
export interface CutRelay {
  readonly port: number
  /**
   * From now on connections break, those that are open and each new one. `silent`: they stay open,
   * and nothing comes, as behind a cable that was pulled.
   */
  cut(how: 'broken' | 'silent'): void
  /** Leads new connections to the server at `port`, and breaks those that got no answer. */
  lead(port: number): void
  close(): Promise<void>
}

/** Listens on a free port, and leads to the server at `port`. */
export async function startCutRelay(port: number): Promise<CutRelay> {
  let way: 'broken' | 'silent' | number = port
  const open = new Set<Socket>()
  const keep = (socket: Socket): void => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => open.delete(socket))
  }
  const breakAll = (): void => {
    for (const socket of open) socket.resetAndDestroy()
  }
  const server = createServer((socket) => {
    keep(socket)
    if (way === 'broken') return void socket.resetAndDestroy()
    if (way === 'silent') return void socket.resume()
    const onward = connect(way, '127.0.0.1')
    keep(onward)
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut(how) {
      way = how
      if (how === 'broken') return breakAll()
      for (const socket of open) {
        socket.unpipe()
        socket.resume()
      }
    },
    lead(next) {
      way = next
      breakAll()
    },
    async close() {
      breakAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
