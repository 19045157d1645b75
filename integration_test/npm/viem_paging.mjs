// Reads the logs of all blocks in pages larger than the provider allows, all at once and one page after another.
import { createPublicClient, http } from 'viem'
import { iterateLogs } from 'viem/actions'

const [url, , , , address, blocks] = process.argv.slice(2)
const client = createPublicClient({ transport: http(url, { retryCount: 3, retryDelay: 100 }) })
const range = { address, fromBlock: 0n, toBlock: BigInt(blocks), blockRange: BigInt(blocks) }

const logs = await client.getLogs(range)
const pages = []
for await (const page of iterateLogs(client, range)) pages.push([Number(page.fromBlock), Number(page.toBlock), page.logs.length])
let whole = 'answered'
try {
  await client.getLogs({ address, fromBlock: 0n, toBlock: BigInt(blocks) })
} catch (error) {
  whole = error.walk().details ?? error.walk().message
}
console.log(JSON.stringify({ blocks: logs.map((log) => Number(log.blockNumber)), pages, whole }))
