// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PackedUserOperation, UserOperation} from "user_operation.sol";

/// @notice An account, paymaster, aggregator and factory in one, for tests: operations say in their bytes what it does.
/// @dev A signature, and a paymaster's data, is an act (one byte), a word to answer, and what postOp gets.
contract Actor {
    event PostOp(uint8 mode, bool free);
    event Called(bytes32 what);

    error Refused(bytes32 what);

    receive() external payable {}

    function validateUserOp(UserOperation calldata op, bytes32 hash, uint256 missing) external returns (uint256) {
        return validate(op.signature, hash, missing);
    }

    function validateUserOp(PackedUserOperation calldata op, bytes32 hash, uint256 missing) external returns (uint256) {
        return validate(op.signature, hash, missing);
    }

    function validate(bytes calldata signature, bytes32 hash, uint256 missing) private returns (uint256) {
        if (signature.length < 33) revert Refused(hash);
        uint8 what = uint8(signature[0]);
        uint256 pays = what == 1 ? 0 : what == 2 ? missing + 1 ether : missing;
        if (pays > 0) {
            (bool ok,) = msg.sender.call{value: pays}("");
            require(ok, "not paid");
        }
        act(what);
        return uint256(bytes32(signature[1:33]));
    }

    function validatePaymasterUserOp(UserOperation calldata op, bytes32, uint256)
        external
        returns (bytes memory, uint256)
    {
        return sponsor(op.paymasterAndData[20:]);
    }

    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32, uint256)
        external
        returns (bytes memory, uint256)
    {
        return sponsor(op.paymasterAndData[52:]);
    }

    function sponsor(bytes calldata data) private returns (bytes memory, uint256) {
        act(uint8(data[0]));
        return (data[33:], uint256(bytes32(data[1:33])));
    }

    function postOp(uint8 mode, bytes calldata context, uint256 cost) external {
        settle(mode, context, cost);
    }

    function postOp(uint8 mode, bytes calldata context, uint256 cost, uint256) external {
        settle(mode, context, cost);
    }

    // Its acts happen in the mode of the second byte, and in every one with 0xff.
    function settle(uint8 mode, bytes calldata context, uint256 cost) private {
        emit PostOp(mode, cost == 0);
        if (context.length < 2) return;
        if (uint8(context[1]) == mode || uint8(context[1]) == 0xff) act(uint8(context[0]));
    }

    function validateSignatures(PackedUserOperation[] calldata, bytes calldata signature) external pure {
        require(signature.length == 0, "bad aggregate");
    }

    function validateSignatures(UserOperation[] calldata, bytes calldata signature) external pure {
        require(signature.length == 0, "bad aggregate");
    }

    function executeUserOp(PackedUserOperation calldata op, bytes32 hash) external {
        emit Called(hash);
        if (op.callData.length > 4) act(uint8(op.callData[4]));
    }

    function execute(uint8 what, address target, bytes calldata data) external {
        if (data.length > 0) {
            (bool ok, bytes memory result) = target.call(data);
            // An error may name sums that depend on gas.
            emit Called(ok ? keccak256(result) : bytes32(bytes4(result)));
        }
        act(what);
    }

    /// @notice Makes another Actor, or what the act says.
    function make(uint8 what, bytes32 salt) external returns (address) {
        if (what == 20) return address(0xdead);
        if (what == 21) return clone(~salt);
        if (what == 22) return address(uint160(uint256(salt)));
        act(what);
        return clone(salt);
    }

    // A minimal proxy (ERC-1167) of this contract.
    function clone(bytes32 salt) private returns (address made) {
        bytes memory code = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", address(this), hex"5af43d82803e903d91602b57fd5bf3"
        );
        assembly {
            made := create2(0, add(code, 32), mload(code), salt)
        }
    }

    function act(uint8 what) private {
        if (what == 10) revert("no");
        if (what == 11) revert Refused(bytes32("no"));
        if (what == 12) while (true) {}
        if (what == 13) {
            assembly {
                revert(0, 0)
            }
        }
        if (what == 14) {
            assembly {
                revert(0, 3000)
            }
        }
        if (what == 15) {
            assembly {
                return(0, 31)
            }
        }
        if (what == 16) {
            assembly {
                mstore(0, 64)
                mstore(32, 0)
                mstore(64, 5000)
                return(0, 96)
            }
        }
        if (what == 18) while (gasleft() > 2000) {}
        if (what == 17) for (uint256 i = 0; i < 200; i++) emit Called(bytes32(i));
    }
}
