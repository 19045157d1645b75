// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Vm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Counter {
    uint256 public count;

    function add() external {
        count++;
    }
}

contract Deploy {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public IS_SCRIPT = true;

    function run() external {
        vm.startBroadcast();
        Counter counter = new Counter();
        counter.add();
        counter.add();
        vm.stopBroadcast();
    }
}
