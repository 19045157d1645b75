// A hundred tests on the world of this worker. Each mines, undoes what it mined, and checks that nobody else did anything.
import { fakenodeActions } from "fakenode";
import { createTestClient, http, publicActions, walletActions } from "viem";
import { foundry } from "viem/chains";
import { expect, test } from "vitest";

// hundred defines the tests on the chain at a URL.
export function hundred(url, accounts) {
  const client = createTestClient({ chain: foundry, mode: "anvil", transport: http(url) })
    .extend(publicActions)
    .extend(walletActions)
    .extend(fakenodeActions());
  const [from, to] = accounts;
  let height = 0n;
  for (let i = 1; i <= 100; i++)
    test(`payment ${i} of ${url}`, async () => {
      expect(await client.getBlockNumber({ cacheTime: 0 })).toBe(height);
      const before = await client.getBalance({ address: to.address });
      const hash = await client.sendTransaction({ account: from.address, to: to.address, value: BigInt(i) });
      const [block] = await client.seal();
      expect((await client.getTransactionReceipt({ hash })).blockHash).toBe(block);
      expect(await client.getBalance({ address: to.address })).toBe(before + BigInt(i));

      const { removed, added } = await client.reorg({ depth: 1, transactions: "drop" });
      expect(removed).toEqual([block]);
      expect(added).toHaveLength(2);
      expect(await client.getBalance({ address: to.address })).toBe(before);
      expect(await client.transaction(hash)).toMatchObject({ where: "orphaned" });
      height += 2n;
    });
}
