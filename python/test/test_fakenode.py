"""Run by integration_test/python_test.go against the built wheel."""

import http.client
import subprocess
import sys

import pytest

import fakenode as package
from fakenode import Account, Client, ExamAnswer, ExamQuestion, Fakenode, StartError, World, exam, explore


def balance(world: Client, account: Account, tag: str = "latest") -> int:
    return int(world.rpc("eth_getBalance", account.address, tag), 16)


def test_a_payment_is_taken_back(fakenode: World) -> None:
    payer, merchant = fakenode.accounts[:2]
    before = balance(fakenode, merchant)
    hash = fakenode.rpc("eth_sendTransaction", {"from": payer.address, "to": merchant.address, "value": "0x1"})
    flashblock = fakenode.preconfirm()
    assert (flashblock["index"], flashblock["transactions"]) == (0, [hash])
    assert balance(fakenode, merchant, "pending") == before + 1
    [block] = fakenode.seal()
    assert balance(fakenode, merchant) == before + 1
    assert fakenode.reorg(depth=1, transactions="drop")["removed"] == [block]
    assert balance(fakenode, merchant) == before
    assert fakenode.transaction(hash)["where"] == "orphaned"


@pytest.mark.parametrize("number", range(3))
def test_nobody_else_was_here(fakenode: World, fakenode_process: Fakenode, number: int) -> None:
    assert fakenode.info()["head"]["number"] == 0
    fakenode.seal(2)
    assert [world["name"] for world in fakenode_process.worlds()] == [fakenode.name]


def test_members_are_named_as_on_the_wire(fakenode: World) -> None:
    fakenode.set_fault(method="eth_call", times=2, latency_ms=1, error={"code": -32005, "message": "limit exceeded"})
    [fault] = fakenode.faults()["calls"]
    assert (fault["latencyMs"], fault["times"]) == (1, 2)
    with pytest.raises(package.RpcError, match="eth_call: limit exceeded") as refused:
        fakenode.rpc("eth_call", {}, "latest")
    assert refused.value.code == -32005
    fakenode.clear_faults()
    fakenode.set_fault(method="eth_gasPrice", http_status=503)
    with pytest.raises(package.HTTPStatusError) as unavailable:
        fakenode.rpc("eth_gasPrice")
    assert unavailable.value.status == 503
    [course] = fakenode.weather(of="baseFee", shape="ramp", from_=10**9, to=2 * 10**9, blocks=4)
    assert course["lastBlock"] == 4
    assert fakenode.scenario("CaptureReorgedOut", amount="5.00")["settled"] is False
    assert [call["method"] for call in fakenode.calls(method="eth_gasPrice")] == ["eth_gasPrice"]


def test_a_policy_may_be_empty_or_left_out(fakenode: World) -> None:
    assert fakenode.paymaster({"maxCost": 10**18})["maxCost"] == hex(10**18)
    assert "maxCost" in fakenode.paymaster()
    assert "maxCost" not in fakenode.paymaster({})


def test_reverts_have_their_reason(fakenode: World) -> None:
    payer, merchant = fakenode.accounts[:2]
    transfer = "0xa9059cbb" + merchant.address[2:].rjust(64, "0") + "f" * 64
    with pytest.raises(package.RpcError, match="exceeds balance"):
        fakenode.rpc("eth_call", {"from": payer.address, "to": fakenode.token, "data": transfer}, "latest")


def test_snapshots_and_worlds_branch(fakenode: World) -> None:
    start = fakenode.snapshot()
    fakenode.seal(3)
    with fakenode.world(snapshot=start) as early, fakenode.world(name="late") as late:
        assert (early.info()["head"]["number"], late.info()["head"]["number"]) == (0, 3)
        assert late.accounts == fakenode.accounts
        assert Client(late.testnet_url).info()["chainId"] != late.chain_id
    assert fakenode.revert(start)
    assert fakenode.info()["head"]["number"] == 0


def test_other_clients_take_the_url(fakenode: World) -> None:
    httpx = pytest.importorskip("httpx")
    answer = httpx.post(fakenode.url, json={"jsonrpc": "2.0", "id": 1, "method": "eth_chainId", "params": []})
    assert int(answer.json()["result"], 16) == fakenode.chain_id


def test_web3_takes_the_url(fakenode: World) -> None:
    web3 = pytest.importorskip("web3")
    assert web3.Web3(web3.Web3.HTTPProvider(fakenode.url)).eth.chain_id == fakenode.chain_id


def test_flags_and_presets() -> None:
    with package.start(preset="anvil", accounts=2, start_time=1_700_000_000) as node:
        payer, merchant = node.accounts
        node.rpc("eth_sendTransaction", {"from": payer.address, "to": merchant.address})
        assert node.rpc("eth_blockNumber") == "0x1"
    node.stop()
    with pytest.raises(package.StartError, match="want interval or instant or manual"):
        package.start(seal="never")


def test_without_a_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKENODE_BINARY", "/nowhere/fakenode")
    with pytest.raises(FileNotFoundError, match="FAKENODE_BINARY names /nowhere/fakenode, which is no program"):
        package.start()


def test_the_node_ends_with_a_killed_program() -> None:
    program = "import fakenode, time; print(fakenode.start().url, flush=True); time.sleep(600)"
    killed = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    connection = http.client.HTTPConnection(killed.stdout.readline().strip().removeprefix("http://"))
    connection.request("GET", "/health")
    connection.getresponse().read()  # served: the connection is the node's, and stays open
    killed.kill()
    killed.wait()
    killed.stdout.close()
    assert connection.sock.recv(1) == b"", "the node closes its connections as it ends"
    connection.close()


def test_console_log_is_shown_with_the_test(capsys: pytest.CaptureFixture[str]) -> None:
    code = "0x" + "60%02x600c60003960%02x6000f3" % (len(LOGS) // 2, len(LOGS) // 2) + LOGS
    with package.start(preset="anvil", log_level="info") as node:
        sender = node.accounts[0].address
        hash = node.rpc("eth_sendTransaction", {"from": sender, "data": code})
        contract = node.rpc("eth_getTransactionReceipt", hash)["contractAddress"]
        hash = node.rpc("eth_sendTransaction", {"from": sender, "to": contract})
        assert node.console(hash) == ["42"]
    assert "line=42" in capsys.readouterr().err


# console.log(uint256 42): PUSH4 f82c50f1 at 0, PUSH1 42 at 32, STATICCALL of the console with the 36 bytes from 28 on.
LOGS = "63f82c50f1600052602a602052600060006024601c6a636f6e736f6c652e6c6f675afa00"


def test_exam() -> None:
    def careful(question: ExamQuestion, url: str) -> ExamAnswer:
        client, hash = Client(url), question["transaction"]
        if client.transaction(hash)["where"] != "sealed":
            return "open"
        paid = client.rpc("eth_getTransactionReceipt", hash)["status"] == "0x1"
        return {"payment": "paid", "amount": "25000000"} if paid else "open"

    def lost(question: ExamQuestion, url: str) -> ExamAnswer:
        raise LookupError("no shop")

    assert exam(careful, kinds="reorgs").passed
    passed, report = exam(lambda question, url: "shipped", kinds="reorgs")
    assert not passed
    assert report.startswith("FAILED  CaptureReorgedOut, step 1: it says shipped, and no block holds the payment\n")
    passed, report = explore(careful, without="behind,answer")
    assert not passed
    assert "a decoy from another token's contract" in report
    passed, report = explore(lambda question, url: "shipped", for_="1m")
    assert not passed
    assert report.startswith("FAILED schedule 1 of seed 0: payment 1: it says shipped, and no block holds the payment\n")
    with pytest.raises(LookupError, match="no shop"):
        exam(lost)
    with pytest.raises(StartError, match="invalid value"):
        exam(careful, seal="never")
