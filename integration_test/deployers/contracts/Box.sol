// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

contract Box {
    uint256 public value;
    bool private initialized;

    function initialize(uint256 first) external {
        require(!initialized, "initialized");
        initialized = true;
        value = first;
    }
}

contract BoxV2 is Box {
    function increment() external {
        value++;
    }
}
